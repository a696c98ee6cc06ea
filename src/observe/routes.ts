// Floor 3. HTTP: everything that observes: agents, traces, events, stats.
import type { Database } from '../store/database.ts'
import type { Cursors } from '../web/page.ts'
import type { Route } from '../web/route.ts'
import { makeAgentRoutes } from './agent-routes.ts'
import { makeEventRoutes } from './events/event-routes.ts'
import type { Commits } from './events/tail-events.ts'
import { makeSavingsRoute } from './stats/savings-route.ts'
import { makeStatsRoutes } from './stats/stats-routes.ts'
import { makeTraceRoutes } from './traces/trace-routes.ts'

type Deps = { readonly db: Database; readonly cursors: Cursors; readonly commits: Commits }

/** The routes of this capability. `db` plans each execution for its own parameters. */
export const makeObserveRoutes = (deps: Deps): Route[] => [
  ...makeAgentRoutes(deps),
  ...makeStatsRoutes(deps),
  makeSavingsRoute(deps),
  ...makeTraceRoutes(deps),
  ...makeEventRoutes(deps),
]
