// The ladder of a subject: the interface that the rest of the service uses.
import { neverUs } from '../policy/columns.ts'
import { type Invalidation, Invalidations } from './invalidations.ts'
import { OutdatedLadder, readState, writeState } from './ladder-bytes.ts'
import { type Execution, LadderState, type ReplayOptions } from './replay.ts'
import { describeRung, type Rung } from './rung.ts'
import type { GateStatus, LadderSettings, RungStatus, Verdict } from './verdict.ts'

export { OutdatedLadder }

export type Ladder = {
  /**
   * Replays real executions, in any order within one call. Over several calls, an execution that started before the end of an already
   * replayed execution of its input is compared with the result that would have been served then, if that is still known, and changes
   * nothing unless it contradicts. A trial counts in its own block for a minute after the end of the block, and later in a later one.
   */
  replay(executions: readonly Execution[], options: ReplayOptions): void
  /** Results of the input whose execution began at or before `atUs` are not served after it. `inputHash` null: those of every input. */
  invalidate(atUs: number, inputHash: string | null): void
  /**
   * Sets the recent invalidations, oldest first, for the calls that are replayed from now on. The ladder itself keeps only the newest
   * invalidation of an input, and calls that began before it may be stored later.
   */
  recall(invalidations: readonly Invalidation[]): void
  /** Serves at this age limit without a proof, from the second equal result on. Null ends that. */
  force(freshnessS: number | null): void
  isForced(): boolean
  /** Returns true if the blocks refute the rule and the first of them was over at `atUs`. */
  isRefutedSince(atUs: number): boolean
  /** Discards the evidence, as if there had been no trials. */
  restart(atUs: number): void
  /** `servingSinceUs`: start of the activation for which the watch is counted, Unix microseconds. Absent or null: as it was last counted. */
  describe(servingSinceUs?: number | null): GateStatus
  /**
   * Returns the full hashes of the inputs that have proven themselves, most recently executed first: a fresh result of such an input would
   * be served.
   */
  listProven(most: number): string[]
  /** Results whose execution began at or before this time are in doubt at the served rung, Unix microseconds. Null: none are. */
  doubtedUs(): number | null
  write(): Uint8Array
  /** Returns the approximate memory use. */
  bytes(): number
}

/** `settings.maxFreshnessS`: whole seconds, at least 1. */
export const openLadder = (settings: LadderSettings): Ladder => makeLadder(new LadderState(settings))

/**
 * Throws OutdatedLadder if the bytes were not written by this version, or for another floor or alpha, and other errors if they are damaged:
 * the evidence is then collected again from the stored executions. If only the age limit differs, the rungs that remain are kept.
 */
export const readLadder = (settings: LadderSettings, bytes: Uint8Array): Ladder =>
  makeLadder(readState(settings, bytes))

const makeLadder = (state: LadderState): Ladder => ({
  replay: (executions, options) => state.replay(executions, options),
  invalidate: (atUs, inputHash) => state.invalidate(atUs, inputHash),
  recall: (invalidations) => {
    state.recalled = new Invalidations(invalidations)
  },
  force: (freshnessS) => state.force(freshnessS),
  isForced: () => state.forced !== null,
  isRefutedSince: (atUs) => isRefutedSince(state, atUs),
  restart: (atUs) => state.restart(atUs),
  describe: (servingSinceUs = null) => describe(state, servingSinceUs),
  listProven: (most) => listProven(state, most),
  doubtedUs: () => {
    const us = state.served?.policy.doubtedUs ?? neverUs
    return us === neverUs ? null : us
  },
  write: () => writeState(state),
  bytes: () => countBytes(state),
})

function describe(state: LadderState, servingSinceUs: number | null): GateStatus {
  const { served, standing, stepsDown, lastBreach } = state
  const untilUs = newestUs(state)
  const show = (rung: Rung): RungStatus => describeRung(rung, state.settings, untilUs)
  const judged = show(state.judged)
  const next = state.nextRung()
  return {
    verdict: verdictOf(standing >= 0 || served?.evidence.state.proven === true, judged),
    freshnessS: served?.freshnessS ?? null,
    proven: served?.evidence.state.proven ?? false,
    forced: state.forced !== null,
    threshold: 1 / state.settings.alpha,
    rungs: state.rungs.map(show),
    shown: served !== null || judged.refuted ? judged : show(nearestRung(state)),
    next: next === null ? null : show(next),
    watched: watchedSince(state, servingSinceUs),
    stepsDown,
    lastBreach,
  }
}

/** No call of a new activation is known before the first one that started in it: until then the state has the watch of what was before. */
const watchedSince = (state: LadderState, servingSinceUs: number | null): GateStatus['watched'] =>
  servingSinceUs === null || servingSinceUs === state.servingSinceUs ? { ...state.watched } : { trials: 0, wrong: 0 }

/** Returns the rung with the most evidence, from the next one to prove up to the first proven one. */
function nearestRung({ rungs, judged }: LadderState): Rung {
  let nearest = judged
  for (const rung of rungs.slice(rungs.indexOf(judged))) {
    if (rung.evidence.state.proven) break
    if (rung.evidence.value > nearest.evidence.value) nearest = rung
  }
  return nearest
}

/** Returns the end of the newest execution; `neverUs` if there is none. */
function newestUs({ inputs, newest }: LadderState): number {
  let lastUs = neverUs
  for (const [, slot] of inputs.entries()) lastUs = Math.max(lastUs, newest.endUs[slot]!)
  return lastUs
}

function isRefutedSince(state: LadderState, atUs: number): boolean {
  const { evidence } = state.judged
  const firstEndUs = (evidence.state.firstBlock + 1) * evidence.blockUs
  return describe(state, null).verdict === 'fail' && firstEndUs <= atUs
}

const verdictOf = (isProven: boolean, shown: RungStatus): Verdict => {
  if (isProven) return 'pass'
  return shown.refuted ? 'fail' : 'inconclusive'
}

function listProven({ inputs, served }: LadderState, most: number): string[] {
  const hashes: string[] = []
  for (const [hash, slot] of [...inputs.entries()].reverse()) {
    if (hashes.length >= most) break
    if (served?.policy.isProven(slot) === true) hashes.push(hash)
  }
  return hashes
}

// Bytes of the evidence, the watch and the objects of a rung.
const bytesARung = 1_500
const bytesAPoint = 56

function countBytes({ inputs, newest, tracks }: LadderState): number {
  const bytesOf = ({ policy, growth }: Rung): number => policy.bytes() + bytesARung + growth.points.length * bytesAPoint
  return tracks.reduce((sum, rung) => sum + bytesOf(rung), newest.bytes()) + inputs.bytes()
}
