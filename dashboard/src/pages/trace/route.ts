import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../app/workspace-route.ts'
import { listSearch } from '../traces/list-search.ts'

export const traceRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'traces/$trace_id',
  staticData: {
    page: {
      crumb: 'Trace',
      parent: { crumb: 'Traces', to: '/w/$workspace_id/traces', pickSearch: listSearch },
      hasWindow: false,
    },
  },
  component: lazyRouteComponent(() => import('./TracePage.tsx'), 'TracePage'),
})
