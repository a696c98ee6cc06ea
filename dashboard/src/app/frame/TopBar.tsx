import { useIsFetching } from '@tanstack/react-query'
import { Menu as MenuIcon, RefreshCw } from 'lucide-react'
import { Button, useZone } from '../../ui/index.ts'
import { WindowControl } from '../../window/WindowControl.tsx'
import { ZoneName } from '../../window/ZoneName.tsx'
import { usePageWindow } from '../page-window.tsx'
import { PaletteButton } from '../palette/PaletteButton.tsx'
import { useShortcut } from '../shortcuts/use-shortcut.ts'
import { Breadcrumb, usePageFacts } from './Breadcrumb.tsx'
import { CopyLink } from './CopyLink.tsx'
import styles from './top-bar.module.css'

export function TopBar({ workspaceId, onMenu }: { readonly workspaceId: string | null; readonly onMenu: () => void }) {
  const { refresh, nowMs } = usePageWindow()
  const zone = useZone()
  const { hasWindow } = usePageFacts()
  useShortcut('r', 'Refresh', refresh)
  return (
    <header className={styles.bar}>
      <Button variant="quiet" className={styles.menu} aria-label="Open the navigation" onClick={onMenu}>
        <MenuIcon size={16} aria-hidden="true" />
      </Button>
      <Breadcrumb workspaceId={workspaceId} />
      {workspaceId !== null && <PaletteButton workspaceId={workspaceId} />}
      <div className={styles.tools}>
        <CopyLink />
        {hasWindow ? (
          <>
            <WindowControl />
            <Button variant="quiet" aria-label="Refresh" title="Refresh (r)" onClick={refresh}>
              <RefreshIcon />
            </Button>
          </>
        ) : (
          <ZoneName zone={zone} atMs={nowMs} />
        )}
      </div>
    </header>
  )
}

/** Its own component: the number of requests changes often, and the rest of the bar does not depend on it. */
function RefreshIcon() {
  const isBusy = useIsFetching() > 0
  return <RefreshCw size={14} aria-hidden="true" className={isBusy ? styles.turning : ''} />
}
