// Lists how the evidence for a decision grew.
import { type Outcome, ok, refuse } from '../../base/outcome.ts'
import type { Database } from '../../store/database.ts'
import type { GrowthPoint } from '../gate/growth.ts'
import { roundTo, shareDecimals } from '../gate/round.ts'
import type { RungStatus } from '../gate/verdict.ts'
import { readLadderNow } from '../ladder/advance-ladder.ts'
import { ladderSubjectOf, settingsOf } from '../measure-reuse.ts'
import { unreadSubjectOf } from '../measure-unread.ts'
import { showEvidence } from '../measures.ts'
import { readUnreadNow } from '../unread/advance-unread.ts'
import { blockUs } from '../unread/sessions.ts'
import { configOf, findMeasured, type MeasuredRow, type PhaseName } from './phase.ts'

export type MeasurementPoint = {
  readonly trial: number
  readonly timeMs: number
  readonly matches: number
  readonly rate: number
  /** The share of right results is at least this, with the confidence of the decision. */
  readonly lower: number
  readonly upper: number
}

export type EvidencePoint = {
  readonly timeMs: number
  readonly evidence: number
  readonly trials: number
  readonly wrong: number
}

/** `freshness_s`: null for a rule without an age limit. */
export type RungEvidence = {
  readonly freshness_s: number | null
  readonly block_s: number
  readonly forced: boolean
  readonly points: readonly EvidencePoint[]
}

export type Measurements = {
  readonly floor: number
  readonly alpha: number
  readonly points: readonly MeasurementPoint[]
  readonly rungs: readonly RungEvidence[]
}

/**
 * Returns the evidence as it was last stored: `points` of the shown rung, spread evenly over its periods, and those of every rung. `phase`:
 * only points before or after the activation. Two statements.
 */
export async function listMeasurements(
  db: Database,
  workspaceId: string,
  decisionId: string,
  phase: PhaseName | undefined,
): Promise<Outcome<Measurements, 'unknown'>> {
  const row = await findMeasured(db, workspaceId, decisionId)
  if (row === null) return refuse('unknown')
  const { floor, alpha } = configOf(row)
  const activeFromUs = row.activated_us ?? Number.POSITIVE_INFINITY
  const isAsked = ({ atUs }: GrowthPoint): boolean =>
    phase === undefined || (phase === 'active') === atUs >= activeFromUs
  const { shown, rungs } = await readGrown(db, row)
  return ok({
    floor,
    alpha,
    points: shown.filter((point) => isAsked(point) && point.trials > 0).map(toMeasurement),
    rungs: rungs.map(({ points, ...rung }) => ({ ...rung, points: points.filter(isAsked).map(toEvidence) })),
  })
}

const toMeasurement = ({ atUs, trials, matches, wrongShareUpper }: GrowthPoint): MeasurementPoint => ({
  trial: trials,
  timeMs: atUs / 1_000,
  matches,
  rate: roundTo(matches / trials, shareDecimals),
  lower: roundTo(1 - wrongShareUpper, shareDecimals),
  upper: 1,
})

const toEvidence = ({ atUs, trials, matches, evidence }: GrowthPoint): EvidencePoint => ({
  timeMs: atUs / 1_000,
  evidence: showEvidence(evidence),
  trials,
  wrong: trials - matches,
})

type Grown = {
  readonly shown: readonly GrowthPoint[]
  readonly rungs: readonly (Omit<RungEvidence, 'points'> & { readonly points: readonly GrowthPoint[] })[]
}

const nothing: Grown = { shown: [], rungs: [] }

async function readGrown(db: Database, row: MeasuredRow): Promise<Grown> {
  if (row.type === 'suppress_dead') {
    const points = (await readUnreadNow(db, unreadSubjectOf(row)))?.describe().points ?? []
    return { shown: points, rungs: [{ freshness_s: null, block_s: blockUs / 1_000_000, forced: false, points }] }
  }
  const ladder = await readLadderNow(db, ladderSubjectOf(row), settingsOf(row))
  if (ladder === null) return nothing
  const { shown, rungs, forced } = ladder.describe()
  const own = rungs.map((rung) => describeRung(rung, false))
  return { shown: shown.points, rungs: forced ? [describeRung(shown, true), ...own] : own }
}

const describeRung = ({ freshnessS, points }: RungStatus, forced: boolean): Grown['rungs'][number] => ({
  freshness_s: freshnessS,
  block_s: freshnessS,
  forced,
  points,
})
