import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../app/workspace-route.ts'

export const agentRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'agents/$agent_id',
  staticData: {
    page: { crumb: 'Agent', parent: { crumb: 'Agents', to: '/w/$workspace_id/agents' }, hasWindow: true },
  },
  component: lazyRouteComponent(() => import('./AgentPage.tsx'), 'AgentPage'),
})
