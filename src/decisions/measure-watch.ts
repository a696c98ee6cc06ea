// Floor 3. The watch over an active rule: its sequences, one after another, and where they may go on from.
import type { Runner } from '../store/database.ts'
import { newWatch, type Watch, watchTrial, windowOf } from './gate/fold-trials.ts'
import type { MeasuredPhase } from './trials/phase.ts'
import { type JudgedTrial, usualWalk, type WalkBounds, walkTrials } from './trials/walk-trials.ts'

export type Watched = Watch & {
  /** When the sequence began, Unix microseconds. */
  readonly sinceUs: number
  /** From where on the next measurement gives the same as one from activation; null where no better place is known. */
  readonly goOnFromUs: number | null
  /** False where there is more than one measurement reads. */
  readonly complete: boolean
}

/** Events older than this do not arrive any more, and the session of a trial has told of it what it will. */
const settledAfterUs = 9 * 86_400_000_000

/**
 * The watch as it stands after all trials from `fromUs` on. `tell` is given each counted trial with the sequence as it stands then.
 * `goOnFromUs` is behind the last restart that nothing late can move; where one measurement cannot read all, behind what it read.
 */
export async function measureWatch(
  db: Pick<Runner, 'rows'>,
  phase: MeasuredPhase,
  fromUs: number,
  nowUs: number,
  tell: (trial: JudgedTrial, watch: Watch) => void = () => undefined,
  bounds: WalkBounds = usualWalk,
): Promise<Watched> {
  let watch = newWatch
  let last: JudgedTrial | null = null
  let toldUs: number | null = null
  let sinceUs = fromUs
  let goOnFromUs: number | null = null
  const complete = await walkTrials(
    db,
    phase,
    fromUs,
    (trial) => {
      toldUs = trial.startUs
      if (!trial.counted) return true
      if (watch.proven && last !== null) {
        sinceUs = last.startUs + 1
        if (last.startUs < Math.min(nowUs - settledAfterUs, trial.startUs)) goOnFromUs = sinceUs
      }
      watch = watchTrial(phase.bounds, watch, trial)
      last = trial
      tell(trial, watch)
      return !watch.breached
    },
    bounds,
  )
  if (complete || watch.breached) return { ...watch, sinceUs, goOnFromUs, complete: true }
  return { ...watch, sinceUs, goOnFromUs: goOnBehind(phase, fromUs, toldUs), complete }
}

/** Behind what was read; where that was all before the place to go on from, in the next freshness window. */
const goOnBehind = (phase: MeasuredPhase, fromUs: number, toldUs: number | null): number =>
  toldUs !== null && toldUs >= fromUs
    ? toldUs + 1
    : phase.beganUs + (windowOf(phase, fromUs) + 1) * phase.freshnessS * 1_000_000
