// Evidence that at most a share of what is served is wrong, valid however often it is looked at.
//
// The unit is a time block, not a call: X is the share of wrong among the trials of a block. A block without trials does not exist.
// Against "the mean of X is at least epsilon" we bet: K = mean over j of the product over blocks of 1 + lambda_j (epsilon - X). Were
// the claim wrong, K would be a supermartingale from 1, whatever the dependence between blocks, and reach 1/alpha with a probability
// of at most alpha (Ville; Waudby-Smith & Ramdas 2023, "Estimating means of bounded random variables by betting").

export const betShares = [0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.95, 1] as const
// A bet of everything could lose everything and never recover.
export const mostOfBet = 0.999
/** Shares of wrong are kept in so many steps, for bounds; the test itself uses the exact ones. */
export const shareSteps = 64

/** ln of the mean of exp(logs). */
export function logMean(logs: Float64Array): number {
  let most = Number.NEGATIVE_INFINITY
  for (const log of logs) if (log > most) most = log
  let sum = 0
  for (const log of logs) sum += Math.exp(log - most)
  return most + Math.log(sum / logs.length)
}

export type EvidenceState = {
  /** ln of the capital of each bet. */
  readonly logs: Float64Array
  /** Blocks by their share of wrong, rounded up to a step. */
  readonly shares: Uint32Array
  /** Number of the open block; -1: none. */
  block: number
  openTrials: number
  openWrong: number
  /** Closed blocks, and the number of the first one. */
  blocks: number
  firstBlock: number
  /** All trials that count, those of the open block included. */
  trials: number
  wrong: number
  /** Trials that came too late for their block. */
  late: number
  proven: boolean
}

const newState = (): EvidenceState => ({
  logs: new Float64Array(betShares.length),
  shares: new Uint32Array(shareSteps + 1),
  block: -1,
  openTrials: 0,
  openWrong: 0,
  blocks: 0,
  firstBlock: -1,
  trials: 0,
  wrong: 0,
  late: 0,
  proven: false,
})

export class BlockEvidence {
  readonly blockUs: number
  readonly epsilon: number
  private readonly logThreshold: number
  private readonly bets: Float64Array
  state: EvidenceState = newState()

  constructor(blockUs: number, floor: number, alpha: number) {
    this.blockUs = blockUs
    this.epsilon = 1 - floor
    this.logThreshold = -Math.log(alpha)
    this.bets = Float64Array.from(betShares, (share) => (share * mostOfBet) / floor)
  }

  /** Counts a trial whose outcome was known at a time. False: its block is over, and it is no evidence. */
  add(endUs: number, isWrong: boolean): boolean {
    const { state } = this
    const block = Math.floor(endUs / this.blockUs)
    if (block < state.block) {
      state.late += 1
      return false
    }
    if (block > state.block) this.openBlock(block)
    state.openTrials += 1
    state.trials += 1
    if (!isWrong) return true
    state.openWrong += 1
    state.wrong += 1
    return true
  }

  private openBlock(block: number): void {
    const { state } = this
    this.close()
    if (state.firstBlock < 0) state.firstBlock = block
    state.block = block
  }

  /** Counts the open block as it is. It is over: later trials in it would be a block of their own. */
  close(): void {
    const { state } = this
    if (state.openTrials > 0) this.closeBlock()
    state.openTrials = 0
    state.openWrong = 0
  }

  private closeBlock(): void {
    const { state, bets, epsilon } = this
    const share = state.openWrong / state.openTrials
    for (let j = 0; j < bets.length; j++) state.logs[j]! += Math.log1p(bets[j]! * (epsilon - share))
    state.shares[Math.ceil(share * shareSteps)]! += 1
    state.blocks += 1
    if (logMean(state.logs) >= this.logThreshold) state.proven = true
  }

  /** K; where that is beyond all numbers, the greatest one, since JSON knows no Infinity. */
  get value(): number {
    return Math.min(Number.MAX_VALUE, Math.exp(logMean(this.state.logs)))
  }

  get hasTrials(): boolean {
    return this.state.trials > 0
  }

  reset(): void {
    this.state = newState()
  }
}
