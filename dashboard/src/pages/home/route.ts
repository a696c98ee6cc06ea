import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { requireSession } from '../../app/guard.ts'
import { readPreference } from '../../app/preferences.ts'
import { workspacesQuery } from '../../app/queries.ts'
import { rootRoute } from '../../app/root-route.tsx'

/** Goes to the last workspace; stays only where there is none. */
export const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: async ({ location, context }) => {
    await requireSession(location)
    const workspaces = await context.queries.fetchQuery(workspacesQuery)
    const last = readPreference('workspace')
    const target = workspaces.find(({ id }) => id === last) ?? workspaces[0]
    if (target !== undefined) throw redirect({ to: '/w/$workspace_id', params: { workspace_id: target.id } })
  },
  component: lazyRouteComponent(() => import('./HomePage.tsx'), 'HomePage'),
})
