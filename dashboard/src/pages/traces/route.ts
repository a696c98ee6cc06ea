import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../app/workspace-route.ts'

export const tracesRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'traces',
  staticData: { page: { crumb: 'Traces', hasWindow: true } },
  component: lazyRouteComponent(() => import('./TracesPage.tsx'), 'TracesPage'),
})
