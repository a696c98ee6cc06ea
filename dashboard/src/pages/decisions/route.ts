import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../app/workspace-route.ts'

export const decisionsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'decisions',
  staticData: { page: { crumb: 'Decisions', hasWindow: false } },
  component: lazyRouteComponent(() => import('./DecisionsPage.tsx'), 'DecisionsPage'),
})
