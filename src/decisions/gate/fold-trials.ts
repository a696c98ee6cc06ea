// Floor 3. What the gate counts of the executions that a rule would have matched: clustering, and the watch over an active rule.
import { type Counts, type GateBounds, judge, noCounts } from './judge.ts'

/** Why an execution tells nothing of the rule. */
export type Exclusion = 'no_candidate' | 'no_content_hash' | 'not_consumed' | 'pending' | 'clustered'

/** An execution as the events tell it, before clustering. */
export type Execution = {
  /** Unix microseconds. */
  readonly startUs: number
  readonly traceId: string
  readonly spanId: string
  /** The session, or the trace where there is none. */
  readonly cluster: string
  readonly inputHash: string | null
  /** Null where it cannot be told. */
  readonly matched: boolean | null
  readonly excludedReason: Exclusion | null
}

export type Trial<E extends Execution = Execution> = E & { readonly counted: boolean }

export type Phase = {
  /** Unix microseconds; windows of clustering are laid from here on. */
  readonly beganUs: number
  readonly freshnessS: number
}

/** The number of the freshness window in which a time lies. */
export const windowOf = ({ beganUs, freshnessS }: Phase, timeUs: number): number =>
  Math.floor((timeUs - beganUs) / (freshnessS * 1_000_000))

/**
 * Says of each execution whether it counts: of one session on one input at most the first of a freshness window does. They come in
 * order, in as many calls as one likes. The windows stand still, so that whoever begins with the start of one counts as whoever
 * began with the phase. Keeps the keys of one window.
 */
export function makeClustering<E extends Execution>(phase: Phase): (execution: E) => Trial<E> {
  const counted = new Set<string>()
  let current = Number.NEGATIVE_INFINITY
  return (execution) => {
    const window = windowOf(phase, execution.startUs)
    if (window !== current) counted.clear()
    current = window
    if (execution.excludedReason !== null) return { ...execution, counted: false }
    const key = `${execution.cluster}\0${execution.inputHash ?? ''}`
    if (counted.has(key)) return { ...execution, counted: false, excludedReason: 'clustered' }
    counted.add(key)
    return { ...execution, counted: true }
  }
}

export const addTrial = ({ trials, matches }: Counts, trial: Trial): Counts => ({
  trials: trials + 1,
  matches: matches + (trial.matched === true ? 1 : 0),
})

export type Watch = Counts & {
  /** The rate fell below the floor: the trials after that are not looked at. */
  readonly breached: boolean
  /** The sequence has just proven the rule again: the next trial begins another one. */
  readonly proven: boolean
}

export const newWatch: Watch = { ...noCounts, breached: false, proven: false }

/**
 * The watch after one more counted trial. A sequence that has proven the rule again is over and the next trial begins another, so
 * that drift is not averaged with a long good past.
 */
export function watchTrial(bounds: GateBounds, watch: Watch, trial: Trial): Watch {
  if (watch.breached) return watch
  const counts = addTrial(watch.proven ? noCounts : watch, trial)
  const verdict = judge(bounds, counts)
  return { ...counts, breached: verdict === 'fail', proven: verdict === 'pass' }
}
