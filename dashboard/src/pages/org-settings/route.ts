import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { outsideRoute } from '../../app/outside-route.ts'

const layoutRoute = createRoute({
  getParentRoute: () => outsideRoute,
  path: '/o/$org_id/settings',
  component: lazyRouteComponent(() => import('../../settings/SettingsLayout.tsx'), 'SettingsLayout'),
})

const indexRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/',
  beforeLoad: ({ params }) => {
    // The router handles the thrown redirect.
    throw redirect({ to: '/o/$org_id/settings/general', params, replace: true })
  },
})

const factsOf = (crumb: string) => ({
  page: { crumb, parent: { crumb: 'Organization', to: '/o/$org_id/settings' }, hasWindow: false },
})

const generalRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: 'general',
  staticData: factsOf('General'),
  component: lazyRouteComponent(() => import('./OrgGeneralPage.tsx'), 'OrgGeneralPage'),
})

const membersRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: 'members',
  staticData: factsOf('Members'),
  component: lazyRouteComponent(() => import('./MembersPage.tsx'), 'MembersPage'),
})

const invitesRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: 'invites',
  staticData: factsOf('Invites'),
  component: lazyRouteComponent(() => import('./InvitesPage.tsx'), 'InvitesPage'),
})

const workspacesRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: 'workspaces',
  staticData: factsOf('Workspaces'),
  component: lazyRouteComponent(() => import('./WorkspacesPage.tsx'), 'WorkspacesPage'),
})

const auditRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: 'audit',
  staticData: factsOf('Audit log'),
  component: lazyRouteComponent(() => import('./OrgAuditPage.tsx'), 'OrgAuditPage'),
})

export const orgSettingsRoute = layoutRoute.addChildren([
  indexRoute,
  generalRoute,
  membersRoute,
  invitesRoute,
  workspacesRoute,
  auditRoute,
])
