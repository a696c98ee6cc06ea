// The steps of the gate that are the same for every type of decision.
import type { Tx } from '../store/database.ts'
import type { Situation, Transition } from './choose-step.ts'
import type { Verdict } from './gate/verdict.ts'
import type { Horizon } from './ladder/advance-ladder.ts'
import type { State } from './lifecycle.ts'
import type { Measures } from './measures.ts'
import { moveInTx, touchesRules } from './move.ts'
import { configOf, type MeasuredRow } from './trials/phase.ts'

export type GateResult = {
  readonly moved: State | null
  /** `unmeasured`: the decision is gone, is in a state that is not measured, or was moved or measured by another process meanwhile. */
  readonly verdict: Verdict | 'unmeasured'
  /** Number of trials that the verdict rests on. */
  readonly trials: number
  /** False if there is more to read than one measurement reads. */
  readonly complete: boolean
  /** The rules that SDKs hold have changed. */
  readonly touchesRules: boolean
  /** Set if the stored replay was damaged and was restarted from the stored executions. */
  readonly damage: Error | null
  /** Null if the measurement does not depend on concurrent transactions, or if nothing was measured. */
  readonly horizon: Horizon | null
}

export const unmeasured: GateResult = {
  moved: null,
  verdict: 'unmeasured',
  trials: 0,
  complete: true,
  touchesRules: false,
  damage: null,
  horizon: null,
}

/**
 * Locks the decision until the transaction ends. Returns false if the decision or its workspace is gone, if another process holds one of
 * them, or if another process has moved or measured the decision since it was read.
 */
export const lockForMeasurement = async (tx: Tx, row: MeasuredRow): Promise<boolean> =>
  (await tx.row('decisions/hold-to-measure', [row.workspace_id, row.id, row.version])) !== null

/** The decision must be in shadow or active. */
export function situationOf(row: MeasuredRow, nowMs: number): Situation {
  const { floor, alpha } = configOf(row)
  const isActive = row.state === 'active'
  return {
    state: isActive ? 'active' : 'shadow',
    floor,
    alpha,
    sinceMs: ((isActive ? row.activated_us : row.shadow_us) ?? 0) / 1_000,
    isForced: row.forced,
    isHeldByUser: row.is_held_by_user,
    nowMs,
  }
}

/**
 * Moves the decision and stores the measures that the step rests on in its audit trail. The caller holds the decision. Returns whether the
 * rules that SDKs hold have changed, or null if the workspace was deleted meanwhile.
 */
export async function moveByGate(
  tx: Tx,
  row: MeasuredRow,
  measures: Measures,
  { to, reason }: Transition,
): Promise<{ readonly touchesRules: boolean } | null> {
  const moved = await moveInTx(tx, {
    workspaceId: row.workspace_id,
    decisionId: row.id,
    to,
    actor: 'gate',
    reason,
    measures: { ...measures, phase: row.state },
    expectedState: row.state,
  })
  if (!moved.ok && moved.code !== 'unknown') throw new Error(`a locked decision could not be moved: ${moved.code}`)
  return moved.ok ? { touchesRules: touchesRules(moved.value) } : null
}
