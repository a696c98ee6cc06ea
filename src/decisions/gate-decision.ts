// Floor 3. The gate: measures one decision, keeps what is new, and moves the decision where the measurement says so.
import { makeUuidV7 } from '../base/ids.ts'
import type { Database, Tx } from '../store/database.ts'
import { chooseStep, describeBreach, type Step, wordAge } from './choose-step.ts'
import type { Verdict } from './gate/verdict.ts'
import { keepLadder } from './ladder/advance-ladder.ts'
import { changesServing } from './ladder/publish-inputs.ts'
import type { State } from './lifecycle.ts'
import { ladderSubjectOf, measureReuse, type ReuseMeasurement, type Serves, settingsOf } from './measure-reuse.ts'
import { moveInTx } from './move.ts'
import { keepTrials } from './trials/keep-trials.ts'
import { findMeasured, type MeasuredRow } from './trials/phase.ts'

export type GateDeps = {
  readonly db: Pick<Database, 'tx'>
  readonly nowMs: () => number
}

export type Gated = {
  readonly moved: State | null
  /** `unmeasured`: the decision is gone, is in a state that is not measured, or someone else moved or measured it meanwhile. */
  readonly verdict: Verdict | 'unmeasured'
  /** Trials of the rung that is shown. */
  readonly trials: number
  /** False where there is more than one measurement reads. */
  readonly complete: boolean
  /** The rules that SDKs hold have changed. */
  readonly touchesRules: boolean
  /** The kept replay was damaged, and was begun anew from the stored executions. */
  readonly damage: Error | null
  readonly durationMs: number
}

const unmeasured = { moved: null, verdict: 'unmeasured', trials: 0, complete: true, touchesRules: false, damage: null } as const

/**
 * One look at a decision, in one transaction. Its row is held only to write what was measured; whoever finds that another one was
 * faster writes nothing, so that two at once do what one would. Throws Outage; nothing is kept then.
 */
export async function gateDecision(deps: GateDeps, workspaceId: string, decisionId: string): Promise<Gated> {
  const startedMs = performance.now()
  const nowMs = deps.nowMs()
  const gated = await deps.db.tx(async (tx) => {
    await tx.rows('decisions/plan-for-values')
    const row = await findMeasured(tx, workspaceId, decisionId)
    const measurement = row === null ? null : await measureReuse(tx, row, nowMs * 1_000)
    if (row === null || measurement === null) return unmeasured
    const held = await tx.row('decisions/hold-to-measure', [workspaceId, decisionId, row.version])
    if (held === null) return unmeasured
    return await judge(tx, row, measurement, nowMs)
  })
  return { ...gated, durationMs: performance.now() - startedMs }
}

async function judge(
  tx: Tx,
  row: MeasuredRow,
  measurement: ReuseMeasurement,
  nowMs: number,
): Promise<Omit<Gated, 'durationMs'>> {
  const { standing, effects, advanced, serves } = measurement
  const ids = [row.workspace_id, row.id]
  await keepLadder(tx, ladderSubjectOf(row), advanced)
  await keepTrials(tx, row, advanced.trialsOf(standing.shown.freshnessS))
  await tx.run('decisions/keep-measures', [...ids, measurement.measures, null])
  // Half of a history proves nothing about the other half, but what ended a forced rule has ended it.
  const step = advanced.complete || advanced.forceEnded ? chooseStep(situationOf(row, nowMs), standing, effects) : null
  const touchesRules = await keepServing(tx, row, serves, step, nowMs)
  if (row.state === 'active' && step === null) await noteRung(tx, row, measurement)
  if (step !== null) await move(tx, row, measurement, step)
  else if (touchesRules) await tx.run('decisions/bump-rules', [row.workspace_id])
  const moved = step?.to ?? null
  const { verdict, shown } = standing
  const { complete, damage } = advanced
  return { moved, verdict, trials: shown.trials, complete, touchesRules: touchesRules || moved !== null, damage }
}

const situationOf = (row: MeasuredRow, nowMs: number) => ({
  ...settingsOf(row),
  state: row.state === 'active' ? ('active' as const) : ('shadow' as const),
  sinceMs: (row.state === 'active' ? (row.activated_us ?? 0) : (row.shadow_us ?? 0)) / 1_000,
  isForced: row.forced,
  nowMs,
})

/** Gives whether SDKs must be told, apart from the move itself. */
async function keepServing(
  tx: Tx,
  row: MeasuredRow,
  serves: Serves,
  step: Step | null,
  nowMs: number,
): Promise<boolean> {
  const isPublished = step?.to === 'active' || changesServing(row, serves, nowMs)
  const { inputs, freshnessS, proven, executedAfterUs } = isPublished ? serves : { ...serves, inputs: row.inputs ?? [] }
  await tx.run('decisions/keep-serving', [row.workspace_id, row.id, inputs, freshnessS, proven, executedAfterUs])
  return isPublished && row.state === 'active'
}

/** A rule that climbs or steps down stays active; its audit trail tells of it. */
async function noteRung(tx: Tx, row: MeasuredRow, { standing, measures }: ReuseMeasurement): Promise<void> {
  const { freshnessS } = standing
  const before = row.served_freshness_s
  if (before === null || freshnessS === null || before === freshnessS) return
  const reason =
    freshnessS > before
      ? `proven for results up to ${wordAge(freshnessS)} old, before ${wordAge(before)}`
      : `now serves results up to ${wordAge(freshnessS)} old, before ${wordAge(before)}: ${describeBreach(standing)}`
  await tx.run('decisions/note-rung', [row.workspace_id, row.id, makeUuidV7(), row.state, reason, measures])
}

async function move(tx: Tx, row: MeasuredRow, { measures }: ReuseMeasurement, { to, reason }: Step): Promise<void> {
  const moved = await moveInTx(tx, {
    workspaceId: row.workspace_id,
    decisionId: row.id,
    to,
    actor: 'gate',
    reason,
    measures: { ...measures, phase: row.state },
    expectedState: row.state,
  })
  if (!moved.ok) throw new Error(`a locked decision could not be moved: ${moved.code}`)
}
