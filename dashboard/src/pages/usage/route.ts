import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../app/workspace-route.ts'

export const usageRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'usage',
  staticData: { page: { crumb: 'Usage', hasWindow: false } },
  component: lazyRouteComponent(() => import('./UsagePage.tsx'), 'UsagePage'),
})
