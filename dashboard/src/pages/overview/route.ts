import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../app/workspace-route.ts'

export const overviewRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/',
  staticData: { page: { crumb: 'Overview', hasWindow: true } },
  component: lazyRouteComponent(() => import('./OverviewPage.tsx'), 'OverviewPage'),
})
