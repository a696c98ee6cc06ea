import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../app/workspace-route.ts'

export const sessionRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'sessions/$session_id',
  staticData: {
    page: { crumb: 'Session', parent: { crumb: 'Traces', to: '/w/$workspace_id/traces' }, hasWindow: false },
  },
  component: lazyRouteComponent(() => import('./SessionPage.tsx'), 'SessionPage'),
})
