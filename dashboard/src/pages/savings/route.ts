import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../app/workspace-route.ts'

export const savingsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'savings',
  staticData: { page: { crumb: 'Savings', hasWindow: true } },
  component: lazyRouteComponent(() => import('./SavingsPage.tsx'), 'SavingsPage'),
})
