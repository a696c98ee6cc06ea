import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../app/workspace-route.ts'

export const keysRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'keys',
  staticData: { page: { crumb: 'Keys', hasWindow: false } },
  component: lazyRouteComponent(() => import('./KeysPage.tsx'), 'KeysPage'),
})
