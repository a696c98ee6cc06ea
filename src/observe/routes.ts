// HTTP: everything that observes: agents, traces, events, stats.
import type { Database } from '../store/database.ts'
import type { Cursors } from '../web/page.ts'
import type { Route } from '../web/route.ts'
import { makeAgentRoutes } from './agent-routes.ts'
import { makeEventRoutes } from './events/event-routes.ts'
import type { Commits } from './events/tail-events.ts'
import { makeExportRoute } from './export/export-route.ts'
import { makeLookupRoute } from './lookup/lookup-route.ts'
import { makeInstrumentationsRoute } from './stats/instrumentations-route.ts'
import { makeSavingsRoute } from './stats/savings-route.ts'
import type { StatsStore } from './stats/source.ts'
import { makeStatsRoutes } from './stats/stats-routes.ts'
import { makeTraceRoutes } from './traces/trace-routes.ts'

type Deps = StatsStore & {
  readonly cursors: Cursors
  readonly commits: Commits
  /** Reads and notes who exports. */
  readonly control: Database
}

/** The routes of this capability. `db` plans each execution for its own parameters; `rows` holds what is made of its rows. */
export const makeObserveRoutes = (deps: Deps): Route[] => [
  ...makeAgentRoutes(deps),
  ...makeStatsRoutes(deps),
  makeSavingsRoute(deps),
  makeInstrumentationsRoute(deps),
  ...makeTraceRoutes(deps),
  ...makeEventRoutes(deps),
  makeExportRoute(deps),
  makeLookupRoute(deps),
]
