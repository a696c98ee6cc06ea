// Floor 3. HTTP: everything that observes: agents, traces, events, stats.
import type { Database } from '../store/database.ts'
import type { Cursors } from '../web/page.ts'
import type { Route } from '../web/route.ts'
import { makeAgentRoutes } from './agent-routes.ts'
import { makeEventRoutes } from './event-routes.ts'
import { makeStatsRoutes } from './stats-routes.ts'
import type { Commits } from './tail-events.ts'
import { makeTraceRoutes } from './trace-routes.ts'

type Deps = { readonly db: Database; readonly cursors: Cursors; readonly commits: Commits }

/** The routes of this capability. `db` plans each execution for its own parameters. */
export const makeObserveRoutes = (deps: Deps): Route[] => [
  ...makeAgentRoutes(deps),
  ...makeStatsRoutes(deps),
  ...makeTraceRoutes(deps),
  ...makeEventRoutes(deps),
]
