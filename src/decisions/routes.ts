// HTTP routes of decisions.
import type { Database } from '../store/database.ts'
import type { Route } from '../web/route.ts'
import { type DecisionChangeDeps, makeDecisionChangeRoutes } from './change-routes.ts'
import { makeDecisionReadRoutes } from './read-routes.ts'

/** `db`: for reads. */
export type DecisionRouteDeps = DecisionChangeDeps & { readonly db: Database }

export const makeDecisionRoutes = (deps: DecisionRouteDeps): Route[] => [
  ...makeDecisionReadRoutes(deps),
  ...makeDecisionChangeRoutes(deps),
]
