// Chooses the next state of a reuse_identity decision from its measurements. Pure.

import { usdDecimals } from './gate/round.ts'
import type { GateStatus } from './gate/verdict.ts'
import type { BreachReason } from './gate/watch.ts'
import type { State } from './lifecycle.ts'
import type { Effects } from './measure-effects.ts'

export type Transition = { readonly to: State; readonly reason: string }

export type Situation = {
  readonly state: 'shadow' | 'active'
  readonly floor: number
  readonly alpha: number
  /** Time at which the decision entered this state, Unix ms. */
  readonly sinceMs: number
  /** A user activated the decision without a proof. */
  readonly isForced: boolean
  /** A user moved the decision from active to shadow. Only a user activates it again. */
  readonly isHeldByUser: boolean
  readonly nowMs: number
}

const dayMs = 86_400_000
export const inconclusiveDays = 14
/** Minimum number of served and of real calls before their median durations are compared. */
const minTimedCalls = 50

/** Returns null if the decision stays in its state. */
export function chooseStep(situation: Situation, standing: GateStatus, effects: Effects): Transition | null {
  if (situation.state === 'active') return chooseForActive(situation, standing, effects)
  const loss = describeLoss(effects)
  if (loss !== null) return { to: 'disabled', reason: loss }
  if (standing.freshnessS !== null)
    return situation.isHeldByUser ? null : { to: 'active', reason: describeProof(situation, standing) }
  if (standing.verdict === 'fail') return { to: 'disabled', reason: describeFailure(situation, standing) }
  return isOverdue(situation)
    ? { to: 'disabled', reason: `inconclusive after ${inconclusiveDays} days: ${describeTrials(standing)}` }
    : null
}

/** Returns true if the decision has been in shadow for `inconclusiveDays`, the longest time allowed without a verdict. */
export const isOverdue = ({ nowMs, sinceMs }: Situation): boolean => nowMs - sinceMs >= inconclusiveDays * dayMs

function chooseForActive(situation: Situation, standing: GateStatus, effects: Effects): Transition | null {
  const loss = describeLoss(effects)
  if (loss !== null) return { to: 'disabled', reason: loss }
  if (situation.isForced && !standing.forced)
    return { to: 'shadow', reason: `activated by force, and moved back to shadow: ${describeBreach(standing)}` }
  if (standing.freshnessS === null) return { to: 'disabled', reason: `failed: ${describeBreach(standing)}` }
  return null
}

/** Returns the reason if the rule certainly costs more than it saves, or makes calls slower and saves no money; otherwise null. */
export function describeLoss(effects: Effects): string | null {
  const { costDeltaUsd, leastCostDeltaUsd, latencyDeltaMs, servedCalls, realCalls } = effects
  if (leastCostDeltaUsd !== null && leastCostDeltaUsd > 0)
    return `the rule costs more than it saves: on average, a served call costs at least ${inFull(leastCostDeltaUsd)} USD more than a real call`
  const isTimed = servedCalls >= minTimedCalls && realCalls >= minTimedCalls
  const savesMoney = costDeltaUsd !== null && costDeltaUsd < 0
  if (latencyDeltaMs === null || latencyDeltaMs < 0 || savesMoney || !isTimed) return null
  return `the rule makes calls slower and saves no money: the median served call takes ${latencyDeltaMs} ms longer than the tool`
}

function describeProof({ floor, alpha }: Situation, { rungs, freshnessS }: GateStatus): string {
  const rung = rungs.find((one) => one.freshnessS === freshnessS)
  if (rung === undefined) throw new Error('the rung that was proven is not on the ladder')
  const wrong = `at most ${inPercent(1 - floor)} % of served results up to ${wordAge(rung.freshnessS)} old are wrong`
  return `proven: ${wrong}, at ${inPercent(1 - alpha)} % confidence (${wordBlocks(rung.blocks)}, ${rung.trials - rung.wrong} of ${rung.trials} trials right)`
}

const describeFailure = ({ floor }: Situation, standing: GateStatus): string =>
  `failed: ${describeTrials(standing)}, significantly fewer than the required ${inPercent(floor)} %`

const describeTrials = ({ shown }: GateStatus): string =>
  shown.trials === 0
    ? 'no call could have been answered from an earlier result'
    : `${shown.trials - shown.wrong} of ${shown.trials} trials right in ${wordBlocks(shown.blocks)}`

const breachWords: Readonly<Record<BreachReason, string>> = {
  wrong_share: 'more calls than allowed returned a different result than the stored one',
  wrong_in_a_row: 'five calls in a row with different inputs returned a different result than the stored one',
}

export const describeBreach = ({ lastBreach, watched }: GateStatus): string =>
  lastBreach === null
    ? 'no age limit is proven any more'
    : `${breachWords[lastBreach.reason]}, for results up to ${wordAge(lastBreach.freshnessS)} old${watched.trials === 0 ? '' : ` (${watched.wrong} of ${watched.trials} wrong)`}`

// A number below a millionth is converted to text with an exponent.
const inFull = (usd: number): string => usd.toFixed(usdDecimals).replace(/\.?0+$/, '')

// In binary floating point, 0.57 times 100 is not 57.
export const inPercent = (share: number): number => Number((share * 100).toPrecision(12))

export const wordBlocks = (blocks: number): string => (blocks === 1 ? '1 period' : `${blocks} periods`)

const unitsS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

/** Formats a duration in its largest whole unit: "10 minutes", "1 hour". */
export function wordAge(seconds: number): string {
  const [unit, size] = unitsS.find(([, unitS]) => seconds >= unitS && seconds % unitS === 0) ?? ['second', 1]
  const count = seconds / size
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
