// The router with all pages. The route of a page is in pages/<page>/route.ts. It is added to the tree here and to frame/rail-items.ts.
import type { QueryClient } from '@tanstack/react-query'
import { createRouter } from '@tanstack/react-router'
import { accountRoute } from '../pages/account/route.ts'
import { agentRoute } from '../pages/agent/route.ts'
import { agentsRoute } from '../pages/agents/route.ts'
import { decisionRoute } from '../pages/decision/route.ts'
import { decisionsRoute } from '../pages/decisions/route.ts'
import { eventsRoute } from '../pages/events/route.ts'
import { findingsRoute } from '../pages/findings/route.ts'
import { forgotPasswordRoute } from '../pages/forgot-password/route.ts'
import { homeRoute } from '../pages/home/route.ts'
import { inviteByPathRoute, inviteRoute } from '../pages/invite/route.ts'
import { keysRoute } from '../pages/keys/route.ts'
import { liveRoute } from '../pages/live/route.ts'
import { orgSettingsRoute } from '../pages/org-settings/route.ts'
import { overviewRoute } from '../pages/overview/route.ts'
import { savingsRoute } from '../pages/savings/route.ts'
import { sessionRoute } from '../pages/session/route.ts'
import { settingsRoute } from '../pages/settings/route.ts'
import { signInRoute } from '../pages/sign-in/route.ts'
import { signUpRoute } from '../pages/sign-up/route.ts'
import { startRoute } from '../pages/start/route.ts'
import { telemetryRoute } from '../pages/telemetry/route.ts'
import { traceRoute } from '../pages/trace/route.ts'
import { tracesRoute } from '../pages/traces/route.ts'
import { usageRoute } from '../pages/usage/route.ts'
import { NotFound } from '../ui/index.ts'
import { parseSearch, stringifySearch } from '../window/index.ts'
import { FailedPage } from './FailedPage.tsx'
import { outsideRoute } from './outside-route.ts'
import { rootRoute } from './root-route.tsx'
import { workspaceRoute } from './workspace-route.ts'

const routeTree = rootRoute.addChildren([
  homeRoute,
  signInRoute,
  signUpRoute,
  inviteRoute,
  inviteByPathRoute,
  forgotPasswordRoute,
  outsideRoute.addChildren([orgSettingsRoute, accountRoute]),
  workspaceRoute.addChildren([
    overviewRoute,
    startRoute,
    agentsRoute,
    agentRoute,
    tracesRoute,
    traceRoute,
    sessionRoute,
    eventsRoute,
    liveRoute,
    decisionsRoute,
    decisionRoute,
    findingsRoute,
    savingsRoute,
    usageRoute,
    telemetryRoute,
    keysRoute,
    settingsRoute,
  ]),
])

export const makeRouter = (queries: QueryClient) =>
  createRouter({
    routeTree,
    context: { queries },
    // The router's default parser reads values as JSON, which breaks ids that consist of digits.
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    // A page keeps the last figures while new ones load, and if they fail to load. They must not be those of another workspace or agent.
    defaultRemountDeps: ({ params }) => params,
    defaultNotFoundComponent: NotFound,
    defaultErrorComponent: FailedPage,
    scrollRestoration: true,
  })

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>
  }
}
