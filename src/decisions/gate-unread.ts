// The gate for suppress_dead decisions.
import type { Tx } from '../store/database.ts'
import { chooseUnreadStep } from './choose-unread-step.ts'
import { type GateResult, lockForMeasurement, moveByGate, situationOf, unmeasured } from './gate-steps.ts'
import { measureUnread, type UnreadMeasurement, unreadSubjectOf } from './measure-unread.ts'
import { keepSessionTrials } from './trials/keep-trials.ts'
import { configOf, type MeasuredRow } from './trials/phase.ts'
import { keepUnread, type UnreadBounds } from './unread/advance-unread.ts'

type Options = { readonly maxAgeMs?: number; readonly bounds?: UnreadBounds }

/** Measures and judges the decision in the transaction of the caller. `maxAgeMs`: age up to which ingest accepts a span; absent: any. */
export async function gateUnread(
  tx: Tx,
  row: MeasuredRow,
  nowMs: number,
  { maxAgeMs, bounds }: Options,
): Promise<GateResult> {
  const maxAgeUs = maxAgeMs === undefined ? null : maxAgeMs * 1_000
  const measurement = await measureUnread(tx, row, nowMs * 1_000, maxAgeUs, bounds)
  if (measurement === null || !(await lockForMeasurement(tx, row))) return unmeasured
  return await judge(tx, row, measurement, nowMs)
}

async function judge(tx: Tx, row: MeasuredRow, measurement: UnreadMeasurement, nowMs: number): Promise<GateResult> {
  const { standing, advanced, measures, proven } = measurement
  const config = configOf(row)
  const isActive = row.state === 'active'
  const situation = { ...situationOf(row, nowMs), minSamples: config.min_samples }
  // An incomplete history proves nothing about the rest. The watch does not depend on the history.
  const isReady = advanced.complete || measurement.heldOut.breach !== null
  const step = isReady ? chooseUnreadStep(situation, measurement) : null
  // If a user moves the refuted decision back to shadow, it is judged by new evidence alone.
  const isRefuted = standing.verdict === 'fail' || measurement.heldOut.breach !== null
  const evidence = step?.to === 'disabled' && isRefuted ? advanced.evidence.restart(nowMs * 1_000) : advanced.evidence
  await keepUnread(tx, unreadSubjectOf(row), { ...advanced, evidence })
  await keepSessionTrials(tx, row, advanced.trials)
  await tx.run('decisions/keep-measures', [row.workspace_id, row.id, measures])
  await tx.run('decisions/keep-serving', [row.workspace_id, row.id, null, config.freshness_s, proven, null])
  const isNews = isActive && proven !== row.proven
  const move = step === null ? null : await moveByGate(tx, row, measures, step)
  if (step !== null && move === null) return unmeasured
  if (step === null && isNews) await tx.run('decisions/bump-rules', [row.workspace_id])
  return {
    moved: step?.to ?? null,
    verdict: standing.verdict,
    trials: standing.trials,
    complete: advanced.complete,
    touchesRules: move?.touchesRules ?? isNews,
    damage: null,
    horizon: null,
  }
}
