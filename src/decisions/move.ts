// One step of a decision through its lifecycle: its row, the audit trail and the version of the rules, together or not at all.
import { makeUuidV7 } from '../base/ids.ts'
import { type Outcome, ok, refuse } from '../base/outcome.ts'
import type { Database, Tx } from '../store/database.ts'
import type { DecisionRow } from './decision-shape.ts'
import { isAllowed, type State } from './lifecycle.ts'

/** Columns of the row that are set together with its state; what is left out stays, null is written. */
export type Measured = Partial<
  Pick<
    DecisionRow,
    'shadow_samples' | 'shadow_match_rate' | 'cost_delta_usd' | 'latency_delta_ms' | 'quality_delta' | 'score'
  > & { measured_at: Date | null }
>

export type Move = {
  readonly workspaceId: string
  readonly decisionId: string
  readonly to: State
  readonly actor: 'gate' | 'user'
  readonly userId?: string | undefined
  readonly reason?: string | undefined
  /** What had been measured; kept in the audit trail. */
  readonly measures?: Readonly<Record<string, unknown>> | undefined
  /** Where the decision is in another state by now, it is not moved. */
  readonly expectedState?: State | undefined
  readonly alsoSet?: Measured | undefined
  /** It becomes active without a proof. */
  readonly isForced?: boolean | undefined
  /** It is disabled to give its place to another one, and may come back. */
  readonly isEvicted?: boolean | undefined
}

/** `unknown`: the workspace has no such decision; `moved_on`: not in the expected state; `not_allowed`: the lifecycle lacks the step. */
export type MoveCode = 'unknown' | 'not_allowed' | 'moved_on'

/** Each phase in shadow is measured from its own beginning. */
const unmeasured = {
  shadow_samples: 0,
  shadow_match_rate: null,
  cost_delta_usd: null,
  latency_delta_ms: null,
  quality_delta: null,
  score: null,
  measured_at: null,
} satisfies Measured

/** One transaction of four statements; after it `touchesRules` says whether SDKs must be told. Throws Outage. */
export async function moveDecision(
  { db }: { readonly db: Database },
  move: Move,
): Promise<Outcome<DecisionRow, MoveCode>> {
  return await db.tx(async (tx) => await moveInTx(tx, move))
}

/**
 * The same in the caller's transaction, which then holds the decision's row and, where the rules change, the workspace's: one move a
 * transaction, since two that meet would lock each other out. Throws a unique violation where a disabled decision would come back
 * although another one lives on its subject.
 */
export async function moveInTx(tx: Tx, move: Move): Promise<Outcome<DecisionRow, MoveCode>> {
  const { workspaceId, decisionId, to, actor, userId, reason, measures, expectedState, alsoSet } = move
  const flags = [move.isForced ?? false, move.isEvicted ?? false]
  const ids = [workspaceId, decisionId]
  const locked = await tx.row<{ state: State }>('decisions/lock', ids)
  if (locked === null) return refuse('unknown')
  const { state: from } = locked
  if (expectedState !== undefined && expectedState !== from) return refuse('moved_on')
  if (!isAllowed(from, to)) return refuse('not_allowed')

  const set = { ...(to === 'shadow' ? unmeasured : {}), ...alsoSet }
  const trail = [makeUuidV7(), actor, userId ?? null, reason ?? null, measures ?? null]
  const row = await tx.row<DecisionRow>('decisions/move', [...ids, to, set, ...trail, ...flags])
  if (row === null) throw new Error('a locked decision was not found')
  if (touchesRules(row)) await tx.run('decisions/bump-rules', [workspaceId])
  return ok(row)
}

/** Whether the last move of the decision changed the rules that SDKs hold. */
export const touchesRules = ({ state, previous_state }: Pick<DecisionRow, 'state' | 'previous_state'>): boolean =>
  state === 'active' || previous_state === 'active'
