// The state of a ladder: replays the real executions of a tool at every age limit at once, and holds the evidence for each limit and the
// rung that serves, or would serve in shadow. Pure: the same executions give the same state.
import { neverUs, type Seen, SeenColumns } from '../policy/columns.ts'
import { contentOf, fingerprintOf, holdoutDraw } from '../policy/fingerprint.ts'
import { InputTable } from '../policy/input-table.ts'
import type { Decision, TrialOutcome } from '../policy/serving-policy.ts'
import { eachInOrder } from '../policy/timeline.ts'
import { Invalidations } from './invalidations.ts'
import { makeRung, makeRungs, type Rung } from './rung.ts'
import { type Breach, type LadderSettings, upperShare } from './verdict.ts'
import type { BreachReason } from './watch.ts'

/** A real call that has ended, also one that failed. Ids in hex, times in Unix microseconds. */
export type Execution = {
  readonly startUs: number
  readonly endUs: number
  readonly inputHash: string
  readonly contentHash: string | null
  readonly isError: boolean
  /** Drawn at random by the sender among the calls that the rule covers, and executed for that reason. Of no effect in shadow. */
  readonly isHeldOut: boolean
  readonly traceId: string
  readonly spanId: string
}

/** An execution that a rung would have answered from a stored result, and whether that was right. */
export type Trial = {
  readonly execution: Execution
  readonly candidateStartUs: number
  readonly candidateEndUs: number
  readonly matched: boolean
  readonly rungS: number
}

export type ReplayOptions = {
  /** Time since which the rule has really served at the rung of the ladder, Unix microseconds. Null: it is in shadow. */
  readonly servingSinceUs: number | null
  readonly onTrial?: ((trial: Trial) => void) | undefined
}

/** The decisions of the rungs when a call started, the forced rung last. */
type Started = {
  readonly decisions: readonly Decision[]
  readonly tracks: readonly Rung[]
  readonly visibleOn: Rung | null
}

const noRung = -1

export class LadderState {
  readonly settings: LadderSettings
  readonly inputs = new InputTable()
  /** The newest execution of each input, regardless of which rung saw it. */
  readonly newest = new SeenColumns()
  /** Times of the newest invalidation by slot, and of the newest one that concerned every input. */
  readonly invalidated = new Map<number, number>()
  allInvalidatedUs = neverUs
  /** The recent invalidations, including those before the newest ones. Not stored: they are set again before each replay. */
  recalled = new Invalidations([])
  readonly rungs: readonly Rung[]
  forced: Rung | null = null
  /** Index of the rung that serves by its evidence; -1: none. */
  standing = noRung
  watched = { trials: 0, wrong: 0 }
  stepsDown = 0
  lastBreach: Breach | null = null
  /** Start of the phase of real serving for which the served rung has adopted the newest executions. */
  servingSinceUs: number | null = null

  constructor(settings: LadderSettings) {
    this.settings = settings
    this.rungs = makeRungs(settings)
  }

  /** The rung that serves, or would serve in shadow; null: none. */
  get served(): Rung | null {
    return this.forced ?? this.rungs[this.standing] ?? null
  }

  get tracks(): readonly Rung[] {
    return this.forced === null ? this.rungs : [...this.rungs, this.forced]
  }

  /** The served rung; if there is none, the next one to prove, by which the rule is judged. */
  get judged(): Rung {
    return this.served ?? this.nextRung() ?? this.rungs[0]!
  }

  replay(executions: readonly Execution[], { servingSinceUs, onTrial }: ReplayOptions): void {
    if (servingSinceUs === null) this.servingSinceUs = null
    const begin = (execution: Execution): Started => this.begin(execution, servingSinceUs)
    eachInOrder(executions, begin, (execution, started) => this.finish(execution, started, onTrial))
  }

  private begin({ startUs, inputHash }: Execution, servingSinceUs: number | null): Started {
    const serves = servingSinceUs !== null && servingSinceUs <= startUs
    if (serves && this.servingSinceUs !== servingSinceUs) this.beginServing(servingSinceUs)
    const slot = this.inputs.find(inputHash)
    const invalidatedUs = Math.max(this.invalidatedAt(slot, startUs), this.recalled.newestUs(inputHash, startUs))
    const { tracks } = this
    const decisions = tracks.map(({ policy }) => policy.decide(slot, startUs, invalidatedUs))
    return { decisions, tracks, visibleOn: serves ? this.served : null }
  }

  /** Returns the time of the newest stored invalidation of an input, or of every input, if it is not after `atUs`; otherwise `neverUs`. */
  invalidatedAt(slot: number, atUs: number): number {
    const own = this.invalidated.get(slot) ?? neverUs
    return Math.max(own <= atUs ? own : neverUs, this.allInvalidatedUs <= atUs ? this.allInvalidatedUs : neverUs)
  }

  private beginServing(servingSinceUs: number): void {
    this.servingSinceUs = servingSinceUs
    this.watched = { trials: 0, wrong: 0 }
    this.adoptNewest(this.served)
  }

  /** Real serving returns the newest execution, regardless of which rung served when it ran. */
  private adoptNewest(rung: Rung | null): void {
    if (rung === null) return
    for (const [, slot] of this.inputs.entries()) rung.policy.adopt(slot, this.newest.get(slot))
  }

  private finish(execution: Execution, started: Started, onTrial: ReplayOptions['onTrial']): void {
    const ended: Seen = { startUs: execution.startUs, endUs: execution.endUs, content: contentOf(execution) }
    const slot = this.touch(execution.inputHash)
    const input = fingerprintOf(execution.inputHash)
    const isDrawn = holdoutDraw(execution.spanId) < this.settings.holdoutRate
    const isMiss = isMissed(execution, started)
    let breach: BreachReason | null = null
    for (const [nth, rung] of started.tracks.entries()) {
      const decision = started.decisions[nth]!
      const isVisible = isDrawn || rung === started.visibleOn
      const outcome = rung.policy.finish(slot, decision, ended, isVisible, input)
      const trial = isMiss ? null : outcome
      this.addEvidence(rung, ended.endUs, trial)
      if (trial === null) continue
      onTrial?.(describeTrial(execution, decision, trial, rung))
      if (rung !== this.served) this.watchBelow(rung, nth, trial, input)
      else if (isVisible) breach = this.addToWatch(rung, trial, input)
    }
    if (ended.endUs >= this.newest.endUs[slot]!) this.newest.set(slot, ended)
    if (breach !== null) this.stepDown(ended.endUs, breach)
    this.climb()
  }

  private touch(inputHash: string): number {
    const slot = this.inputs.touch(inputHash, (evicted) => this.forget(evicted))
    this.newest.reserve(slot)
    return slot
  }

  private forget(slot: number): void {
    this.newest.clear(slot)
    this.invalidated.delete(slot)
    for (const { policy } of this.tracks) policy.clear(slot)
  }

  private addEvidence(rung: Rung, endUs: number, trial: TrialOutcome | null): void {
    const { evidence, growth } = rung
    const { blocks } = evidence.state
    if (trial === null) evidence.pass(endUs)
    else evidence.add(endUs, trial.isWrong)
    const { state } = evidence
    if (state.blocks > blocks)
      growth.note(
        state.blocks,
        () => ({
          atUs: endUs,
          trials: state.trials,
          matches: state.trials - state.wrong,
          evidence: evidence.value,
          wrongShareUpper: upperShare(state.shares, this.settings.alpha),
        }),
        blocks,
      )
  }

  /** The watch of a rung below the served one counts every trial: it decides whether the rung holds when the served one fails. */
  private watchBelow({ watch }: Rung, at: number, { isWrong, isExplained }: TrialOutcome, input: number): void {
    if (at < this.standing && !isExplained) watch.add(isWrong, input)
  }

  private addToWatch({ watch }: Rung, { isWrong, isExplained }: TrialOutcome, input: number): BreachReason | null {
    this.watched.trials += 1
    if (isWrong) this.watched.wrong += 1
    // Caused by an event that was already counted: the policy has stopped serving the results that the event changed.
    return isExplained ? null : watch.add(isWrong, input)
  }

  /**
   * Ends the forced rung. If none is forced, steps down to the highest rung below that still holds, and restarts the evidence of all rungs
   * above that one.
   */
  private stepDown(atUs: number, reason: BreachReason): void {
    const failed = this.served!
    this.stepsDown += 1
    this.lastBreach = { atUs, freshnessS: failed.freshnessS, reason }
    if (this.forced === null) this.dropFailed(atUs)
    this.forced = null
    const { served } = this
    if (served === null) return
    served.watch.inherit(failed.watch)
    served.policy.doubt(atUs)
    this.takeOver(served)
  }

  private dropFailed(atUs: number): void {
    const below = this.rungs.slice(0, this.standing)
    this.standing = below.findLastIndex(({ evidence, watch }) => evidence.state.proven && watch.holds)
    for (const { evidence, growth } of this.rungs.slice(this.standing + 1)) {
      evidence.reset()
      growth.restart(atUs)
    }
  }

  /** Restarts all evidence after a verdict against the rule. The state of the inputs stays. */
  restart(atUs: number): void {
    this.standing = noRung
    for (const { evidence, growth } of this.rungs) {
      evidence.reset()
      growth.restart(atUs)
    }
  }

  /** Climbs through proven rungs only. A rung without any trial is skipped, since nothing would be served there. */
  private climb(): void {
    const from = this.standing
    for (let at = from + 1; at < this.rungs.length; at++) {
      const { evidence } = this.rungs[at]!
      if (evidence.state.proven) this.standing = at
      else if (evidence.hasTrials) break
    }
    if (this.standing !== from && this.forced === null) this.climbTo(this.served)
  }

  private climbTo(rung: Rung | null): void {
    rung?.watch.reset()
    this.takeOver(rung)
  }

  /** While the rule really serves, the rung that serves from now on continues from what was executed under the previous one. */
  private takeOver(rung: Rung | null): void {
    if (this.servingSinceUs !== null) this.adoptNewest(rung)
  }

  /** Returns the lowest unproven rung above the standing one, preferably one with trials; null if all rungs above are proven. */
  nextRung(): Rung | null {
    const above = this.rungs.slice(this.standing + 1).filter(({ evidence }) => !evidence.state.proven)
    return above.find(({ evidence }) => evidence.hasTrials) ?? above[0] ?? null
  }

  invalidate(atUs: number, inputHash: string | null): void {
    if (inputHash === null) {
      this.allInvalidatedUs = Math.max(this.allInvalidatedUs, atUs)
      return
    }
    const slot = this.touch(inputHash)
    this.invalidated.set(slot, Math.max(this.invalidated.get(slot) ?? neverUs, atUs))
  }

  force(freshnessS: number | null): void {
    if (freshnessS === (this.forced?.freshnessS ?? null)) return
    this.forced = freshnessS === null ? null : makeRung(this.settings, freshnessS, 1)
    this.adoptNewest(this.forced)
    this.watched = { trials: 0, wrong: 0 }
    this.climbTo(this.served)
  }
}

/**
 * Returns true if the rule could have served the call, which ran for another reason than the holdout: its sender was late, holds another key,
 * or serves nothing. Such a call changes the state of the inputs but is no trial. Its sender runs all its calls and one that is served runs
 * only the holdout, so in the share of wrong results it would weigh many times as much as a call that is served.
 */
function isMissed({ isHeldOut }: Execution, { decisions, tracks, visibleOn }: Started): boolean {
  if (isHeldOut || visibleOn === null) return false
  const kind = decisions[tracks.indexOf(visibleOn)]?.kind
  return kind === 'trial' || kind === 'late'
}

const describeTrial = (
  execution: Execution,
  { candidate }: Decision,
  { isWrong }: TrialOutcome,
  { freshnessS }: Rung,
): Trial => ({
  execution,
  candidateStartUs: candidate.startUs,
  candidateEndUs: candidate.endUs,
  matched: !isWrong,
  rungS: freshnessS,
})
