// The frame of every page of a workspace: rail, top bar, content.
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Outlet, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { RouterProvider as AriaRouter } from 'react-aria-components'
import { ErrorNote, NotFound } from '../../ui/index.ts'
import { PageWindowProvider } from '../page-window.tsx'
import { PaletteKey } from '../palette/PaletteKey.tsx'
import { usePreference, writePreference } from '../preferences.ts'
import { workspacesQuery } from '../queries.ts'
import { useShortcutKeys } from '../shortcuts/use-shortcut.ts'
import { Drawer } from './Drawer.tsx'
import styles from './frame.module.css'
import { Rail } from './Rail.tsx'
import { ShortcutHelp } from './ShortcutHelp.tsx'
import { TopBar } from './TopBar.tsx'

const route = getRouteApi('/w/$workspace_id')

export function Frame() {
  const { workspace_id: workspaceId } = route.useParams()
  const router = useRouter()
  const { data: workspaces, error, refetch } = useQuery(workspacesQuery)
  const [isDrawerOpen, setDrawerOpen] = useState(false)
  const isNarrow = usePreference('rail') === 'narrow'
  // Nothing is asked about a workspace before it is known to be one of the person's own.
  const isKnown = workspaces?.some(({ id }) => id === workspaceId) === true
  const isForeign = workspaces !== undefined && !isKnown
  useShortcutKeys()
  useEffect(() => {
    if (isKnown) writePreference('workspace', workspaceId)
  }, [isKnown, workspaceId])

  return (
    <AriaRouter navigate={(href) => router.history.push(href)}>
      <PageWindowProvider>
        <a className={styles.skip} href="#content">
          Skip to content
        </a>
        <div className={styles.frame} data-rail={isNarrow ? 'narrow' : 'wide'}>
          <aside className={styles.rail}>
            <Rail workspaceId={workspaceId} isNarrow={isNarrow} />
          </aside>
          <TopBar workspaceId={workspaceId} onMenu={() => setDrawerOpen(true)} />
          <main id="content" tabIndex={-1} className={styles.content}>
            {isKnown && <Outlet />}
            {isForeign && <NotFound />}
            {error !== null && workspaces === undefined && <ErrorNote error={error} onRetry={() => void refetch()} />}
          </main>
        </div>
        <Drawer isOpen={isDrawerOpen} onClose={() => setDrawerOpen(false)}>
          <Rail workspaceId={workspaceId} isNarrow={false} />
        </Drawer>
        <ShortcutHelp />
        {isKnown && <PaletteKey workspaceId={workspaceId} />}
      </PageWindowProvider>
    </AriaRouter>
  )
}
