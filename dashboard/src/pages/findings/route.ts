import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../app/workspace-route.ts'

export const findingsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'findings',
  staticData: { page: { crumb: 'Findings', hasWindow: false } },
  component: lazyRouteComponent(() => import('./FindingsPage.tsx'), 'FindingsPage'),
})
