// Floor 3. How the evidence for a decision grew.
import { type Outcome, ok, refuse } from '../../base/outcome.ts'
import type { Database } from '../../store/database.ts'
import type { Point } from '../gate/growth.ts'
import { roundTo, shareDecimals } from '../gate/round.ts'
import { readLadderNow } from '../ladder/advance-ladder.ts'
import { ladderSubjectOf, settingsOf } from '../measure-reuse.ts'
import { unreadSubjectOf } from '../measure-unread.ts'
import { readUnreadNow } from '../unread/advance-unread.ts'
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

export type Measurements = {
  readonly floor: number
  readonly alpha: number
  readonly points: readonly MeasurementPoint[]
}

/**
 * At most 500 points of the rung that is shown, evenly over its periods, the last one always. `phase`: points before or after the
 * activation alone. Two statements.
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
  const points = (await readPoints(db, row))
    .filter(({ atUs }) => phase === undefined || (phase === 'active') === atUs >= activeFromUs)
    .map(({ atUs, trials, matches, wrongShareUpper }) => ({
      trial: trials,
      timeMs: atUs / 1_000,
      matches,
      rate: roundTo(matches / trials, shareDecimals),
      lower: roundTo(1 - wrongShareUpper, shareDecimals),
      upper: 1,
    }))
  return ok({ floor, alpha, points })
}

/** Of the evidence as it was kept last. */
async function readPoints(db: Database, row: MeasuredRow): Promise<readonly Point[]> {
  if (row.type === 'suppress_dead') return (await readUnreadNow(db, unreadSubjectOf(row)))?.describe().points ?? []
  const ladder = await readLadderNow(db, ladderSubjectOf(row), settingsOf(row))
  return ladder?.describe().points ?? []
}
