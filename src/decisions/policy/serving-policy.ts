// The serving policy of one age limit over all inputs of a subject: which calls a rule answers from a stored result.
//
// The same code replays calls in shadow, decides what an active rule serves, and watches it. A call is decided when it starts, from the
// executions that had ended by then, and changes the state when it ends. A call that serving would not have executed changes nothing.
import { grow, neverUs, type Seen, SeenColumns } from './columns.ts'
import { failedContent, unknownContent } from './fingerprint.ts'
import { ServedTimes } from './served-times.ts'

/** Number of equal results in a row that an input needs before it is served; each failure doubles it. */
export const usualNeed = 2
const maxNeed = 64
const maxStreak = 255

/**
 * `unknown`: the newest execution ended after this call had started. `open`: no usable result is stored. `stale`: the stored result is too
 * old or in doubt. `confirmation`: the input has not proven itself yet. `trial`: the policy would have served the stored result. `late`: as
 * `unknown`, and the policy would have served an earlier result, had it known of the call in time.
 */
export type DecisionKind = 'unknown' | 'open' | 'stale' | 'confirmation' | 'trial' | 'late'

/** The decision on a call, with the newest execution of its input that the policy knew at its start; if `late`, one with the served result. */
export type Decision = { readonly kind: DecisionKind; readonly candidate: Seen }

export type TrialOutcome = {
  readonly isWrong: boolean
  /** The result is wrong for a reason that is already known: it came into doubt after the call had started. */
  readonly isExplained: boolean
}

const neverSeen: Seen = { startUs: neverUs, endUs: neverUs, content: unknownContent }
const undecided: Decision = { kind: 'open', candidate: neverSeen }

export class ServingPolicy {
  readonly ageUs: number
  readonly firstNeed: number
  readonly seen = new SeenColumns()
  streak = new Uint8Array(this.seen.endUs.length)
  need: Uint8Array
  readonly times = new ServedTimes()
  /** Results whose execution began at or before this time are in doubt and are not served. */
  doubtedUs = neverUs
  /** The last visible trial if it was wrong: fingerprint of its input and time of its end. */
  suspect = { input: -1, endUs: neverUs }

  constructor(ageUs: number, firstNeed: number) {
    this.ageUs = ageUs
    this.firstNeed = firstNeed
    this.need = new Uint8Array(this.streak.length).fill(firstNeed)
  }

  /**
   * Decides a call that starts at `atUs`. `invalidatedUs`: the newest invalidation that concerns the input. Slot -1: the input is not
   * known.
   */
  decide(slot: number, atUs: number, invalidatedUs: number): Decision {
    if (slot < 0 || slot >= this.streak.length) return undecided
    const candidate = this.seen.get(slot)
    const kind = this.kindOf(slot, candidate, atUs, invalidatedUs)
    const served = kind === 'unknown' ? this.times.find(slot, atUs, candidate.endUs, this.ageUs) : null
    if (served === null) return { kind, candidate }
    const wasGone = isGone(served.startUs, invalidatedUs, atUs) || isGone(served.startUs, this.doubtedUs, atUs)
    return wasGone ? { kind, candidate } : { kind: 'late', candidate: served }
  }

  private kindOf(slot: number, { startUs, endUs, content }: Seen, atUs: number, invalidatedUs: number): DecisionKind {
    if (endUs > atUs) return 'unknown'
    if (content < 0 || isGone(startUs, invalidatedUs, atUs)) return 'open'
    if (atUs - endUs >= this.ageUs || isGone(startUs, this.doubtedUs, atUs)) return 'stale'
    return this.streak[slot]! < this.need[slot]! ? 'confirmation' : 'trial'
  }

  /** Returns true if a fresh result of the input would be served: it has proven itself, and its newest execution gave a result. */
  isProven(slot: number): boolean {
    if (slot < 0 || slot >= this.streak.length) return false
    return this.seen.content[slot]! >= 0 && this.streak[slot]! >= this.need[slot]!
  }

  /**
   * Records the end of a call. `isVisible`: serving would have executed the call although it could have been served (a holdout). `input`:
   * the fingerprint of the input. Returns null if the call is no trial.
   */
  finish(slot: number, decision: Decision, ended: Seen, isVisible: boolean, input: number): TrialOutcome | null {
    const { kind, candidate } = decision
    const isServable = kind === 'trial' || kind === 'late'
    const isTrial = isServable && ended.content !== unknownContent
    const isWrong = ended.content !== candidate.content
    const outcome = isTrial ? { isWrong, isExplained: isWrong && candidate.startUs <= this.doubtedUs } : null
    if (isServable && !isVisible) return outcome
    this.reserve(slot)
    if (ended.endUs >= this.seen.endUs[slot]!) this.learn(slot, decision, ended)
    else if (outcome?.isWrong === true && this.times.since.endUs[slot] === candidate.endUs) this.contradict(slot)
    if (kind === 'trial' && outcome !== null && !outcome.isExplained)
      this.suspectChange(candidate, ended, isWrong, input)
    return outcome
  }

  private learn(slot: number, { kind, candidate }: Decision, ended: Seen): void {
    const before = this.seen.get(slot)
    const known = before.content
    const isSuperseded = kind === 'unknown' || before.endUs !== candidate.endUs
    this.seen.set(slot, ended)
    if (ended.content === unknownContent) this.streak[slot] = 0
    // Overlapping calls observe the same moment: only a difference between their results counts.
    else if (isSuperseded) this.streak[slot] = known >= 0 && known !== ended.content ? 0 : this.streak[slot]!
    else if (kind !== 'open') this.compare(slot, kind, candidate.content === ended.content)
    if (ended.content === failedContent) this.streak[slot] = 0
    this.follow(slot, before, ended, kind === 'open')
  }

  private follow(slot: number, before: Seen, now: Seen, wasGone: boolean): void {
    const isDoubted = before.startUs <= this.doubtedUs && now.startUs > this.doubtedUs
    // Calls that would have been served do not renew the result: it is too old for a moment, until the next call has run.
    const isSoon = now.startUs - before.endUs < 2 * this.ageUs
    const goesOn = before.content === now.content && isSoon && !wasGone && !isDoubted
    this.times.follow(slot, before, now, this.isProven(slot), goesOn)
  }

  /** A call that became known late had another result than the one that is served to this day. */
  private contradict(slot: number): void {
    this.compare(slot, 'late', false)
    this.times.end(slot)
  }

  private compare(slot: number, kind: DecisionKind, isEqual: boolean): void {
    if (isEqual) {
      this.streak[slot] = Math.min(maxStreak, this.streak[slot]! + 1)
      return
    }
    this.streak[slot] = 0
    if (kind !== 'stale') this.need[slot] = Math.min(maxNeed, this.need[slot]! * 2)
  }

  /**
   * Handles two visible trials in a row that are wrong at different inputs, both with results from before the end of the first: one event
   * may have changed every result. All earlier results are then in doubt, and each input runs once more before it is served again.
   */
  private suspectChange(candidate: Seen, ended: Seen, isWrong: boolean, input: number): void {
    const { suspect } = this
    if (!isWrong) this.suspect = { input: -1, endUs: neverUs }
    else if (suspect.input >= 0 && suspect.input !== input && candidate.endUs <= suspect.endUs)
      this.doubt(ended.startUs)
    else this.suspect = { input, endUs: ended.endUs }
  }

  /** Results whose execution began before this time are not served until the input has run again. */
  doubt(beforeUs: number): void {
    this.doubtedUs = Math.max(this.doubtedUs, beforeUs - 1)
    this.suspect = { input: -1, endUs: neverUs }
  }

  /** Takes over an execution that this policy did not see because another one served at the time. */
  adopt(slot: number, newest: Seen): void {
    this.reserve(slot)
    if (newest.endUs <= this.seen.endUs[slot]!) return
    const known = this.seen.content[slot]!
    if (newest.content < 0 || (known >= 0 && known !== newest.content)) this.streak[slot] = 0
    const before = this.seen.get(slot)
    this.seen.set(slot, newest)
    this.follow(slot, before, newest, false)
  }

  reserve(slot: number): void {
    this.seen.reserve(slot)
    const { length } = this.seen.endUs
    if (length === this.streak.length) return
    this.streak = grow(this.streak, new Uint8Array(length))
    this.need = grow(this.need, new Uint8Array(length).fill(this.firstNeed))
  }

  /** Forgets an input. */
  clear(slot: number): void {
    if (slot >= this.streak.length) return
    this.seen.clear(slot)
    this.times.clear(slot)
    this.streak[slot] = 0
    this.need[slot] = this.firstNeed
  }

  bytes(): number {
    return this.seen.bytes() + this.times.bytes() + this.streak.byteLength + this.need.byteLength
  }
}

/** Returns true if an event makes a result unusable: the execution began at or before the event, and the event is not after `atUs`. */
const isGone = (startUs: number, eventUs: number, atUs: number): boolean => startUs <= eventUs && eventUs <= atUs
