// The frame of every page of a workspace: rail, top bar, content.
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Outlet, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { RouterProvider as AriaRouter } from 'react-aria-components'
import { NotFound } from '../../ui/index.ts'
import { PageWindowProvider } from '../page-window.tsx'
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
  const { data: workspaces } = useQuery(workspacesQuery)
  const [isDrawerOpen, setDrawerOpen] = useState(false)
  const isNarrow = usePreference('rail') === 'narrow'
  const isForeign = workspaces !== undefined && !workspaces.some(({ id }) => id === workspaceId)
  useShortcutKeys()
  useEffect(() => {
    if (workspaces !== undefined && !isForeign) writePreference('workspace', workspaceId)
  }, [workspaces, isForeign, workspaceId])

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
            {isForeign ? <NotFound /> : <Outlet />}
          </main>
        </div>
        <Drawer isOpen={isDrawerOpen} onClose={() => setDrawerOpen(false)}>
          <Rail workspaceId={workspaceId} isNarrow={false} />
        </Drawer>
        <ShortcutHelp />
      </PageWindowProvider>
    </AriaRouter>
  )
}
