// Floor 3. How what is known of a decision grew trial by trial.
import { type Outcome, ok, refuse } from '../../base/outcome.ts'
import type { Database } from '../../store/database.ts'
import { addTrial } from '../gate/fold-trials.ts'
import { type Counts, describeStanding, noCounts } from '../gate/judge.ts'
import { roundTo, shareDecimals } from '../gate/round.ts'
import { measureWatch } from '../measure-watch.ts'
import {
  configOf,
  findMeasured,
  latestPhaseOf,
  type MeasuredPhase,
  type MeasuredRow,
  type PhaseName,
  phaseOf,
} from './phase.ts'
import { walkTrials } from './walk-trials.ts'

export type MeasurementPoint = {
  readonly trial: number
  readonly timeMs: number
  readonly matches: number
  readonly rate: number
  readonly lower: number
  readonly upper: number
}

export type Measurements = {
  readonly floor: number
  readonly alpha: number
  readonly points: readonly MeasurementPoint[]
}

type Known = Counts & { readonly startUs: number }

const maxPoints = 500

/**
 * At most 500 points of one phase, evenly over its counted trials, the last one always. In the active phase trials are numbered from 1
 * in each sequence of the watch. Reads what a measurement reads: 0.3 to 1 s for 20,000 executions.
 */
export async function listMeasurements(
  db: Database,
  workspaceId: string,
  decisionId: string,
  name: PhaseName | undefined,
): Promise<Outcome<Measurements, 'unknown'>> {
  const row = await findMeasured(db, workspaceId, decisionId)
  if (row === null) return refuse('unknown')
  const { floor, alpha } = configOf(row)
  const phase = name === undefined ? latestPhaseOf(row) : phaseOf(row, name)
  if (phase === null) return ok({ floor, alpha, points: [] })
  const known = await (phase.name === 'shadow' ? foldShadow(db, phase) : foldWatch(db, phase, row))
  return ok({ floor, alpha, points: thin(known).map((one) => toPoint(phase, one)) })
}

async function foldShadow(db: Database, phase: MeasuredPhase): Promise<Known[]> {
  const known: Known[] = []
  let counts = noCounts
  await walkTrials(db, phase, phase.beganUs, (trial) => {
    if (!trial.counted) return true
    counts = addTrial(counts, trial)
    known.push({ ...counts, startUs: trial.startUs })
    return true
  })
  return known
}

async function foldWatch(db: Database, phase: MeasuredPhase, row: MeasuredRow): Promise<Known[]> {
  const known: Known[] = []
  const fromUs = Math.max(phase.beganUs, row.watch_us ?? 0)
  // Where the watch may go on from is not asked here, so that the time does not matter.
  await measureWatch(db, phase, fromUs, 0, ({ startUs }, { trials, matches }) =>
    known.push({ trials, matches, startUs }),
  )
  return known
}

function thin(known: readonly Known[]): readonly Known[] {
  if (known.length <= maxPoints) return known
  return Array.from({ length: maxPoints }, (_, at) => Math.ceil(((at + 1) * known.length) / maxPoints) - 1).flatMap(
    (index) => known[index] ?? [],
  )
}

function toPoint({ bounds }: MeasuredPhase, { trials, matches, startUs }: Known): MeasurementPoint {
  const { lower, upper } = describeStanding(bounds, { trials, matches })
  return {
    trial: trials,
    timeMs: startUs / 1_000,
    matches,
    rate: roundTo(matches / trials, shareDecimals),
    lower: roundTo(lower, shareDecimals),
    upper: roundTo(upper, shareDecimals),
  }
}
