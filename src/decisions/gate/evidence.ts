// Evidence that at most a given share of what is served is wrong. It is valid however often it is checked.
//
// The unit is a time block, not a call: X is the share of wrong trials in a block. Blocks without trials are not counted. The test bets
// against the hypothesis "the mean of X is at least epsilon": K = mean over j of the product over blocks of 1 + lambda_j (epsilon - X). If
// the hypothesis were true, K would be a supermartingale that starts at 1, whatever the dependence between blocks, and would reach 1/alpha
// with a probability of at most alpha (Ville; Waudby-Smith & Ramdas 2023, "Estimating means of bounded random variables by betting").

export const betShares = [0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.95, 1] as const
// A bet of the whole capital could lose all of it and never recover.
export const mostOfBet = 0.999
/** Number of steps to which shares of wrong trials are rounded for the bounds. The test itself uses the exact shares. */
export const shareSteps = 64

/** Returns ln of the mean of exp(logs). */
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
  /** Number of blocks by their share of wrong trials, rounded up to a step. */
  readonly shares: Uint32Array
  /** Number of the open block; -1: none. */
  block: number
  openTrials: number
  openWrong: number
  /** Closed blocks, and the number of the first one. */
  blocks: number
  firstBlock: number
  /** All trials that count, including those of the open block. */
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

  /** Counts a trial whose outcome was known at `endUs`. Returns false if its block is over: the trial is then no evidence. */
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

  /** Closes the open block and counts it as it is. Later trials in the same time would form another block. */
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

  /** K, limited to the greatest finite number, since JSON has no Infinity. */
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
