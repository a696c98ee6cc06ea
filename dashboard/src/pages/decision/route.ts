import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../app/workspace-route.ts'

export const decisionRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'decisions/$decision_id',
  staticData: {
    page: { crumb: 'Decision', parent: { crumb: 'Decisions', to: '/w/$workspace_id/decisions' }, hasWindow: false },
  },
  component: lazyRouteComponent(() => import('./DecisionPage.tsx'), 'DecisionPage'),
})
