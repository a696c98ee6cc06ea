import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../app/workspace-route.ts'

export const telemetryRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'telemetry',
  staticData: { page: { crumb: 'Telemetry', hasWindow: true } },
  component: lazyRouteComponent(() => import('./TelemetryPage.tsx'), 'TelemetryPage'),
})
