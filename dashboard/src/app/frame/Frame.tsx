// The frame of every page for signed-in users: rail, top bar, content.
import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { RouterProvider as AriaRouter } from 'react-aria-components'
import { ErrorNote } from '../../ui/index.ts'
import { PageWindowProvider } from '../page-window.tsx'
import { usePreference } from '../preferences.ts'
import { workspacesQuery } from '../queries.ts'
import { useShortcutKeys } from '../shortcuts/use-shortcut.ts'
import { Drawer } from './Drawer.tsx'
import styles from './frame.module.css'
import { Rail } from './Rail.tsx'
import { ShortcutHelp } from './ShortcutHelp.tsx'
import { TopBar } from './TopBar.tsx'

/** `workspaceId`: the workspace of the rail and the breadcrumb; null if the user has none. The content waits for the list of workspaces. */
export function Frame({
  workspaceId,
  children,
}: {
  readonly workspaceId: string | null
  readonly children: ReactNode
}) {
  const router = useRouter()
  const { data: workspaces, error, refetch } = useQuery(workspacesQuery)
  const [isDrawerOpen, setDrawerOpen] = useState(false)
  const isNarrow = usePreference('rail') === 'narrow'
  useShortcutKeys()

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
            {workspaces !== undefined && children}
            {error !== null && workspaces === undefined && <ErrorNote error={error} onRetry={() => void refetch()} />}
          </main>
        </div>
        <Drawer isOpen={isDrawerOpen} onClose={() => setDrawerOpen(false)}>
          <Rail workspaceId={workspaceId} isNarrow={false} />
        </Drawer>
        <ShortcutHelp workspaceId={workspaceId} />
      </PageWindowProvider>
    </AriaRouter>
  )
}
