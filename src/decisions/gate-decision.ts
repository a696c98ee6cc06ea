// Floor 3. The gate: measures one decision, keeps what is new, and moves the decision where the measurement says so.
import type { Database, Tx } from '../store/database.ts'
import type { Verdict } from './gate/judge.ts'
import type { State } from './lifecycle.ts'
import { type Measurement, measureDecision } from './measure-decision.ts'
import { moveInTx } from './move.ts'
import { findMeasured, type MeasuredRow } from './trials/phase.ts'

export type GateDeps = {
  readonly db: Pick<Database, 'tx'>
  readonly nowMs: () => number
  /** Told after the commit of a move: the rules of SDKs may have changed. */
  readonly onMoved?: (workspaceId: string, decisionId: string, to: State) => void
}

export type Gated = {
  readonly moved: State | null
  /** `unmeasured`: the decision is gone, is in a state that is not measured, or someone else moved or measured it meanwhile. */
  readonly verdict: Verdict | 'unmeasured'
  /** Counted trials that the verdict rests on. */
  readonly trials: number
  /** False where there is more than one measurement reads. */
  readonly complete: boolean
  readonly durationMs: number
}

type Step = { readonly to: State; readonly reason: string }

const inconclusiveDays = 14
const dayMs = 86_400_000

/**
 * One look at a decision, in one transaction. Its row is held only to write what was measured; whoever finds that another one was
 * faster writes nothing, so that two at once do what one would. Throws Outage; nothing is kept then.
 */
export async function gateDecision(deps: GateDeps, workspaceId: string, decisionId: string): Promise<Gated> {
  const startedMs = performance.now()
  const nowMs = deps.nowMs()
  const { moved, standing, complete } = await deps.db.tx(async (tx) => {
    await tx.rows('decisions/plan-for-values')
    const row = await findMeasured(tx, workspaceId, decisionId)
    const measurement = row === null ? null : await measureDecision(tx, row, nowMs * 1_000)
    if (row === null || measurement === null) return unmeasured
    const held = await tx.row('decisions/hold-to-measure', [workspaceId, decisionId, row.version])
    if (held === null) return unmeasured
    const step = chooseStep(row, measurement, nowMs)
    await keep(tx, row, measurement)
    if (step !== null) await move(tx, row, measurement, step)
    return { moved: step?.to ?? null, standing: measurement.standing, complete: measurement.complete }
  })
  if (moved !== null) deps.onMoved?.(workspaceId, decisionId, moved)
  const durationMs = performance.now() - startedMs
  return { moved, verdict: standing?.verdict ?? 'unmeasured', trials: standing?.trials ?? 0, complete, durationMs }
}

const unmeasured = { moved: null, standing: null, complete: true }

/** Where the decision goes; null where it stays. */
function chooseStep(row: MeasuredRow, { measures, standing, bounds }: Measurement, nowMs: number): Step | null {
  const { verdict, trials, matches, lower, upper } = standing
  const seen = `${matches} of ${trials} trials matched`
  const required = `${inPercent(bounds.floor)} %`
  if (verdict === 'fail') {
    const most = showShare(upper, bounds.floor)
    return { to: 'disabled', reason: `failed: ${seen}; at most ${most} match, below the required ${required}` }
  }
  if (row.state === 'active') return null
  if (verdict === 'pass') {
    const costUsd = measures.cost_delta_usd
    if (costUsd !== null && costUsd > 0)
      return { to: 'disabled', reason: `the rule would cost more than it saves: ${costUsd} USD for each served call` }
    const least = showShare(lower, bounds.floor)
    return { to: 'active', reason: `passed: ${seen}; at least ${least} match, above the required ${required}` }
  }
  const isOver = row.shadow_us !== null && nowMs - row.shadow_us / 1_000 >= inconclusiveDays * dayMs
  return isOver ? { to: 'disabled', reason: `inconclusive after ${inconclusiveDays} days: ${seen}` } : null
}

// 0.57 times 100 is not 57 in binary.
const inPercent = (share: number): number => Number((share * 100).toPrecision(12))

/** 78.3 %: one decimal, or as many as it takes to differ from the floor. */
function showShare(share: number, floor: number): string {
  let decimals = 1
  while (decimals < 6 && Number((share * 100).toFixed(decimals)) === inPercent(floor)) decimals += 1
  return `${(share * 100).toFixed(decimals)} %`
}

async function keep(tx: Tx, row: MeasuredRow, { measures, watchFromUs }: Measurement): Promise<void> {
  await tx.run('decisions/keep-measures', [row.workspace_id, row.id, measures, watchFromUs])
}

async function move(tx: Tx, row: MeasuredRow, measurement: Measurement, { to, reason }: Step): Promise<void> {
  const { measures, standing } = measurement
  const { trials, matches, rate, lower, upper, verdict } = standing
  const moved = await moveInTx(tx, {
    workspaceId: row.workspace_id,
    decisionId: row.id,
    to,
    actor: 'gate',
    reason,
    measures: { ...measures, phase: row.state, verdict, trials, matches, rate, lower, upper },
    expectedState: row.state,
  })
  if (!moved.ok) throw new Error(`a locked decision could not be moved: ${moved.code}`)
}
