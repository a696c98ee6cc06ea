import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../app/workspace-route.ts'

export const liveRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'live',
  staticData: { page: { crumb: 'Live', hasWindow: false } },
  component: lazyRouteComponent(() => import('./LivePage.tsx'), 'LivePage'),
})
