// Moves a decision through its lifecycle: its row, its audit trail and the version of the rules change together or not at all.
import { makeUuidV7 } from '../base/ids.ts'
import { type Outcome, ok, refuse } from '../base/outcome.ts'
import type { Database, Tx } from '../store/database.ts'
import type { DecisionRow } from './decision-shape.ts'
import { isAllowed, type State } from './lifecycle.ts'

export type Move = {
  readonly workspaceId: string
  readonly decisionId: string
  readonly to: State
  readonly actor: 'gate' | 'user'
  readonly userId?: string | undefined
  readonly reason?: string | undefined
  /** The measurements at the time of the move, stored in the audit trail. */
  readonly measures?: Readonly<Record<string, unknown>> | undefined
  /** The decision is moved only if it is in this state. */
  readonly expectedState?: State | undefined
  /** The decision becomes active without a proof. */
  readonly isForced?: boolean | undefined
  /** The decision is disabled to make room for another one, and may come back. */
  readonly isEvicted?: boolean | undefined
}

/**
 * `unknown`: the workspace has no such decision; `moved_on`: the decision is not in the expected state; `not_allowed`: the lifecycle lacks
 * the transition.
 */
export type MoveCode = 'unknown' | 'not_allowed' | 'moved_on'

/** Each shadow phase is measured from its own start. */
const unmeasured = {
  shadow_samples: 0,
  shadow_match_rate: null,
  cost_delta_usd: null,
  latency_delta_ms: null,
  quality_delta: null,
  score: null,
  measured_at: null,
}

/**
 * Moves a decision in one transaction of two or three statements. `touchesRules` then reports whether SDKs must be notified. Throws Outage.
 */
export async function moveDecision(
  { db }: { readonly db: Database },
  move: Move,
): Promise<Outcome<DecisionRow, MoveCode>> {
  return await db.tx(async (tx) => await moveInTx(tx, move))
}

/**
 * Moves a decision in the transaction of the caller, which then holds the decision's row and, if the rules change, the workspace's. A
 * transaction may make only one move: two transactions with several moves could deadlock. Throws a unique violation if a disabled decision
 * would come back although its subject has another live one.
 */
export async function moveInTx(tx: Tx, move: Move): Promise<Outcome<DecisionRow, MoveCode>> {
  const { workspaceId, decisionId, to, actor, userId, reason, measures, expectedState } = move
  const flags = [move.isForced ?? false, move.isEvicted ?? false]
  const ids = [workspaceId, decisionId]
  const locked = await tx.row<{ state: State }>('decisions/lock', ids)
  if (locked === null) return refuse('unknown')
  const { state: from } = locked
  if (expectedState !== undefined && expectedState !== from) return refuse('moved_on')
  if (!isAllowed(from, to)) return refuse('not_allowed')

  const set = to === 'shadow' ? unmeasured : {}
  const trail = [makeUuidV7(), actor, userId ?? null, reason ?? null, measures ?? null]
  const row = await tx.row<DecisionRow>('decisions/move', [...ids, to, set, ...trail, ...flags])
  if (row === null) throw new Error('a locked decision was not found')
  if (touchesRules(row)) await tx.run('decisions/bump-rules', [workspaceId])
  return ok(row)
}

/** Returns true if the last move of the decision changed the rules that SDKs hold. */
export const touchesRules = ({ state, previous_state }: Pick<DecisionRow, 'state' | 'previous_state'>): boolean =>
  state === 'active' || previous_state === 'active'
