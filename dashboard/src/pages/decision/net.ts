// The query for what the rule saved. All parts of the page share it, so that they show the same figure.
import { ruleSavingsQuery } from '../../decisions/queries.ts'
import type { Decision } from '../../decisions/score.ts'

const mostDays = 400
const dayMs = 86_400_000

export type NetOf = {
  readonly workspaceId: string
  readonly decision: Decision
  /** The time in milliseconds at which the decision was loaded. */
  readonly nowMs: number
}

export function netQuery({ workspaceId, decision, nowMs }: NetOf) {
  const fromMs = Math.max(Date.parse(decision.created_at), nowMs - mostDays * dayMs)
  const window = { from: new Date(fromMs).toISOString(), to: new Date(nowMs).toISOString() }
  return ruleSavingsQuery(workspaceId, decision.id, window)
}
