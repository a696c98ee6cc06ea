import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { workspaceRoute } from '../../app/workspace-route.ts'

const layoutRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'settings',
  component: lazyRouteComponent(() => import('../../settings/SettingsLayout.tsx'), 'SettingsLayout'),
})

const indexRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/',
  beforeLoad: ({ params }) => {
    // The router handles the thrown redirect.
    throw redirect({ to: '/w/$workspace_id/settings/general', params, replace: true })
  },
})

const factsOf = (crumb: string) => ({
  page: { crumb, parent: { crumb: 'Settings', to: '/w/$workspace_id/settings' }, hasWindow: false },
})

const generalRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: 'general',
  staticData: factsOf('General'),
  component: lazyRouteComponent(() => import('./GeneralPage.tsx'), 'GeneralPage'),
})

const rulesRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: 'rules',
  staticData: factsOf('Rules'),
  component: lazyRouteComponent(() => import('./RulesPage.tsx'), 'RulesPage'),
})

const pricesRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: 'prices',
  staticData: factsOf('Prices'),
  component: lazyRouteComponent(() => import('./PricesPage.tsx'), 'PricesPage'),
})

const retentionRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: 'retention',
  staticData: factsOf('Content and retention'),
  component: lazyRouteComponent(() => import('./RetentionPage.tsx'), 'RetentionPage'),
})

const auditRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: 'audit',
  staticData: factsOf('Audit log'),
  component: lazyRouteComponent(() => import('./AuditPage.tsx'), 'AuditPage'),
})

const exportRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: 'export',
  staticData: factsOf('Export'),
  component: lazyRouteComponent(() => import('./ExportPage.tsx'), 'ExportPage'),
})

const dangerRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: 'danger',
  staticData: factsOf('Delete'),
  component: lazyRouteComponent(() => import('./DangerPage.tsx'), 'DangerPage'),
})

export const settingsRoute = layoutRoute.addChildren([
  indexRoute,
  generalRoute,
  rulesRoute,
  pricesRoute,
  retentionRoute,
  auditRoute,
  exportRoute,
  dangerRoute,
])
