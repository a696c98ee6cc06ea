// The gate: measures one decision, stores the measurement, and moves the decision to the state that the measurement calls for.
import { makeUuidV7 } from '../base/ids.ts'
import type { Database, Tx } from '../store/database.ts'
import { chooseStep, describeBreach, type Transition, wordAge } from './choose-step.ts'
import { type GateResult, lockForMeasurement, moveByGate, situationOf, unmeasured } from './gate-steps.ts'
import { gateUnread } from './gate-unread.ts'
import { keepLadder, type ReplayBounds } from './ladder/advance-ladder.ts'
import { changesServing } from './ladder/publish-inputs.ts'
import { ladderSubjectOf, measureReuse, type ReuseMeasurement } from './measure-reuse.ts'
import { keepTrials } from './trials/keep-trials.ts'
import { findMeasured, type MeasuredRow } from './trials/phase.ts'

export type GateDeps = {
  readonly db: Pick<Database, 'tx'>
  readonly nowMs: () => number
  /** How much one call reads. */
  readonly bounds?: ReplayBounds
  /** Age up to which ingest accepts a span. Absent: any. */
  readonly maxAgeMs?: number
}

export type Gated = GateResult & { readonly durationMs: number }

/**
 * Measures and judges one decision, in one transaction. The row is locked only to write the measurement. If another process has locked,
 * moved or measured the decision since it was read, nothing is written, so two concurrent calls have the effect of one. Throws Outage;
 * nothing is stored then.
 */
export async function gateDecision(deps: GateDeps, workspaceId: string, decisionId: string): Promise<Gated> {
  const startedMs = performance.now()
  const nowMs = deps.nowMs()
  const gated = await deps.db.tx(async (tx) => {
    await tx.rows('decisions/plan-for-values')
    const row = await findMeasured(tx, workspaceId, decisionId)
    if (row === null) return unmeasured
    return row.type === 'suppress_dead'
      ? await gateUnread(tx, row, nowMs, deps)
      : await gateReuse(tx, row, nowMs, deps.bounds)
  })
  return { ...gated, durationMs: performance.now() - startedMs }
}

async function gateReuse(tx: Tx, row: MeasuredRow, nowMs: number, bounds?: ReplayBounds): Promise<GateResult> {
  const measurement = await measureReuse(tx, row, nowMs, bounds)
  if (measurement === null) return unmeasured
  // The process that was faster may have read less: report a horizon that covers nothing.
  if (!(await lockForMeasurement(tx, row)))
    return { ...unmeasured, horizon: { ...measurement.advanced.horizon, readXid: 0n } }
  return await judge(tx, row, measurement, nowMs)
}

async function judge(tx: Tx, row: MeasuredRow, measurement: ReuseMeasurement, nowMs: number): Promise<GateResult> {
  const { standing, effects, advanced } = measurement
  const ids = [row.workspace_id, row.id]
  await keepLadder(tx, ladderSubjectOf(row), advanced)
  await keepTrials(tx, row, advanced.trialsOf(standing.shown.freshnessS))
  await tx.run('decisions/keep-measures', [...ids, measurement.measures])
  // An incomplete replay proves nothing about the rest of the history, but a breach that ended a forced rule is final.
  const step = advanced.complete || advanced.forceEnded ? chooseStep(situationOf(row, nowMs), standing, effects) : null
  const isNews = await keepServing(tx, row, measurement, step, nowMs)
  if (row.state === 'active' && step === null && !advanced.position.inHistory) await noteRung(tx, row, measurement)
  const move = step === null ? null : await moveByGate(tx, row, measurement.measures, step)
  if (step !== null && move === null) return unmeasured
  if (step === null && isNews) await tx.run('decisions/bump-rules', [row.workspace_id])
  const moved = step?.to ?? null
  const { verdict, shown } = standing
  const { complete, damage, horizon } = advanced
  const touchesRules = move?.touchesRules ?? isNews
  return { moved, verdict, trials: shown.trials, complete, touchesRules, damage, horizon }
}

/**
 * Stores what the rule serves. Returns true if SDKs must be notified, apart from the move itself. While the history of an active rule is
 * read anew, the rule serves what it has served: the newest executions, which may contradict the older ones, are read last.
 */
async function keepServing(
  tx: Tx,
  row: MeasuredRow,
  { serves, advanced }: ReuseMeasurement,
  step: Transition | null,
  nowMs: number,
): Promise<boolean> {
  if (row.state === 'active' && advanced.position.inHistory) return row.readmits_inputs
  const isPublished = step?.to === 'active' || row.readmits_inputs || changesServing(row, serves, nowMs)
  const { inputs, freshnessS, proven, executedAfterUs } = isPublished ? serves : { ...serves, inputs: row.inputs ?? [] }
  await tx.run('decisions/keep-serving', [row.workspace_id, row.id, inputs, freshnessS, proven, executedAfterUs])
  return isPublished && row.state === 'active'
}

/** A rule that climbs or steps down stays active. The change is recorded in its audit trail. */
async function noteRung(tx: Tx, row: MeasuredRow, { standing, measures }: ReuseMeasurement): Promise<void> {
  const { freshnessS } = standing
  const before = row.served_freshness_s
  if (before === null || freshnessS === null || before === freshnessS) return
  const reason =
    freshnessS > before
      ? `proven for results up to ${wordAge(freshnessS)} old, previously ${wordAge(before)}`
      : `now serves results up to ${wordAge(freshnessS)} old, previously ${wordAge(before)}: ${describeBreach(standing)}`
  await tx.run('decisions/note-rung', [row.workspace_id, row.id, makeUuidV7(), row.state, reason, measures])
}
