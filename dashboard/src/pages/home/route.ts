import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { api, dataOf } from '../../api/client.ts'
import { requireSession } from '../../app/guard.ts'
import { readPreference } from '../../app/preferences.ts'
import { workspacesQuery } from '../../app/queries.ts'
import { rootRoute } from '../../app/root-route.tsx'
import { findNewestWorkspace } from './newest.ts'

/** Redirects to the last workspace of this browser, else to the one with the newest data. Shows the page only if there is no workspace. */
export const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: async ({ location, context }) => {
    await requireSession(location)
    const workspaces = await context.queries.fetchQuery(workspacesQuery)
    const last = readPreference('workspace')
    const target = workspaces.find(({ id }) => id === last) ?? (await findNewestWorkspace(workspaces, readNewestMs))
    if (target !== undefined) throw redirect({ to: '/w/$workspace_id', params: { workspace_id: target.id } })
  },
  component: lazyRouteComponent(() => import('./HomePage.tsx'), 'HomePage'),
})

async function readNewestMs(workspaceId: string): Promise<number> {
  const params = { path: { workspace_id: workspaceId }, query: { limit: 1 } }
  const [agent] = await dataOf(api.GET('/v1/workspaces/{workspace_id}/agents', { params }))
  return agent === undefined ? 0 : Date.parse(agent.last_seen)
}
