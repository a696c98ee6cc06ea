// HTTP: all read routes for agents, traces, events, exports and stats.
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
import type { StatsStore } from './stats/source/source.ts'
import { makeStatsRoutes } from './stats/stats-routes.ts'
import { makeTraceRoutes } from './traces/trace-routes.ts'

type Deps = StatsStore & {
  readonly cursors: Cursors
  readonly commits: Commits
  /** Unix ms, by the clock of the database. It ends the windows that have no `to_time`. */
  readonly nowMs: () => number
  /** Reads roles, and records exports in the audit log. */
  readonly control: Database
}

/** The routes of this capability. `db` must plan each execution with its actual parameters; `rows` caches what was made of rollup rows. */
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
