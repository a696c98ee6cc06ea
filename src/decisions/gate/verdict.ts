// Derives statements from the evidence of a rung: bounds of the share of wrong trials, the verdict, and what is lacking for a proof.
import { betShares, type EvidenceState, logMean, mostOfBet, shareSteps } from './evidence.ts'
import type { GrowthPoint } from './growth.ts'
import type { BreachReason } from './watch.ts'

export type LadderSettings = {
  /** Share of served results that have to be right. */
  readonly floor: number
  readonly alpha: number
  /** Share of servable calls that are executed anyway. */
  readonly holdoutRate: number
  readonly maxFreshnessS: number
}

export type Verdict = 'pass' | 'inconclusive' | 'fail'

export type RungStatus = {
  readonly freshnessS: number
  /** K; it passes at 1/alpha. */
  readonly evidence: number
  readonly blocks: number
  readonly trials: number
  readonly wrong: number
  /** Number of trials whose own period no longer took trials when they became known. They count in a later one. */
  readonly late: number
  readonly proven: boolean
  /** The highest mean share of wrong trials that the blocks do not refute. */
  readonly wrongShareUpper: number
  /** The blocks refute that the share of wrong trials is low enough. */
  readonly refuted: boolean
  /** Number of blocks without a wrong trial that the proof still needs. */
  readonly needsBlocks: number
  /** Seconds that these take at the rate of the blocks so far; null: too few blocks for an estimate. */
  readonly needsS: number | null
  /** The growth of the evidence. */
  readonly points: readonly GrowthPoint[]
}

export type Breach = { readonly atUs: number; readonly freshnessS: number; readonly reason: BreachReason }

export type GateStatus = {
  readonly verdict: Verdict
  /** Age limit of the rung that serves, or would serve in shadow; null: none. */
  readonly freshnessS: number | null
  readonly proven: boolean
  readonly forced: boolean
  /** The value that the evidence has to reach: 1/alpha. */
  readonly threshold: number
  /** Lowest first, without a forced rung. */
  readonly rungs: readonly RungStatus[]
  /** The rung that serves; if there is none, the next one to prove if it is refuted, otherwise the one that is nearest to its proof. */
  readonly shown: RungStatus
  /** The next rung to prove. */
  readonly next: RungStatus | null
  /** Trials of the served rung since the rule began to serve (in shadow: since it would have begun). */
  readonly watched: { readonly trials: number; readonly wrong: number }
  readonly stepsDown: number
  readonly lastBreach: Breach | null
}

/** Returns ln K against "the mean is at least m". `shares`: number of blocks by their share; each share is the upper end of its step. */
function logCapital(shares: Uint32Array, m: number): number {
  const logs = new Float64Array(betShares.length)
  for (let step = 0; step < shares.length; step++) {
    const count = shares[step]!
    if (count === 0) continue
    const gain = (m - step / shareSteps) / (1 - m)
    for (let j = 0; j < logs.length; j++) logs[j]! += count * Math.log1p(betShares[j]! * mostOfBet * gain)
  }
  return logMean(logs)
}

/** Returns the lowest mean share that the blocks refute. With a probability of at least 1 - alpha, the mean is below it at every time. */
export function upperShare(shares: Uint32Array, alpha: number): number {
  const threshold = -Math.log(alpha)
  let possible = 0
  let refuted = 1
  // The capital grows with m, since at most the whole capital is bet.
  for (let round = 0; round < 30; round++) {
    const m = (possible + refuted) / 2
    if (logCapital(shares, m) >= threshold) refuted = m
    else possible = m
  }
  return refuted > 0.999_999 ? 1 : refuted
}

/** Returns the lower bound of the mean share, from the shares of right trials. */
export function lowerShare(shares: Uint32Array, alpha: number): number {
  const right = new Uint32Array(shareSteps + 1)
  // A share of wrong trials was rounded up, so the share of right trials is less than one step higher.
  for (let step = 0; step <= shareSteps; step++) right[shareSteps - Math.max(0, step - 1)]! += shares[step]!
  return 1 - upperShare(right, alpha)
}

/** Returns the number of blocks without a wrong trial that the evidence needs until it passes. */
export function blocksLacking(logs: Float64Array, floor: number, alpha: number): number {
  const threshold = -Math.log(alpha)
  const gains = Float64Array.from(betShares, (share) => Math.log1p((share * mostOfBet * (1 - floor)) / floor))
  const passesAfter = (blocks: number): boolean => logMean(logs.map((log, j) => log + blocks * gains[j]!)) >= threshold
  if (passesAfter(0)) return 0
  let high = 1
  while (!passesAfter(high)) high *= 2
  let low = Math.floor(high / 2)
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (passesAfter(middle)) high = middle
    else low = middle
  }
  return high
}

/** From fewer blocks, the rate could be several times as high or as low as it seems. */
const minRatedBlocks = 5

/**
 * Returns the seconds that `needsBlocks` blocks take at the rate at which blocks with trials came from the first one to `untilUs`, up to
 * which the calls are known; null if they were too few. Blocks without trials are no evidence, but their time passes. `waiting`: number of
 * blocks that are over and not closed yet.
 */
export function forecastS(
  { block, firstBlock, blocks, openTrials }: EvidenceState,
  blockUs: number,
  needsBlocks: number,
  untilUs: number,
  waiting = 0,
): number | null {
  const isOver = Math.floor(untilUs / blockUs) > block
  const came = blocks + waiting + (isOver && openTrials > 0 ? 1 : 0)
  if (came < minRatedBlocks) return null
  const tookUs = (isOver ? untilUs : block * blockUs) - firstBlock * blockUs
  return Math.ceil((needsBlocks * tookUs) / came / 1_000_000)
}
