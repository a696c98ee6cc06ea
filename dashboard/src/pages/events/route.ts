import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../app/workspace-route.ts'

export const eventsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'events',
  staticData: { page: { crumb: 'Events', hasWindow: true } },
  component: lazyRouteComponent(() => import('./EventsPage.tsx'), 'EventsPage'),
})
