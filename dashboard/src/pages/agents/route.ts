import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../app/workspace-route.ts'

export const agentsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'agents',
  staticData: { page: { crumb: 'Agents', hasWindow: true } },
  component: lazyRouteComponent(() => import('./AgentsPage.tsx'), 'AgentsPage'),
})
