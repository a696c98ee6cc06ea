import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../app/workspace-route.ts'

export const startRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'start',
  staticData: { page: { crumb: 'Get started', hasWindow: false } },
  component: lazyRouteComponent(() => import('./StartPage.tsx'), 'StartPage'),
})
