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
  /** Number of the newest block, which is open; -1: none. */
  block: number
  openTrials: number
  openWrong: number
  /** Closed blocks, and the number of the first one. */
  blocks: number
  firstBlock: number
  /** All trials, including those of blocks that are not closed. */
  trials: number
  wrong: number
  /** Those of the trials whose own block no longer took trials when they became known. */
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

/** A block that is over and still takes trials that become known late. */
export type WaitingBlock = { readonly block: number; trials: number; wrong: number }

export class BlockEvidence {
  readonly blockUs: number
  readonly epsilon: number
  /** Time for which a block takes trials after its end. */
  readonly waitUs: number
  private readonly logThreshold: number
  private readonly bets: Float64Array
  state: EvidenceState = newState()
  /** Oldest first, each before the open block. */
  waiting: WaitingBlock[] = []
  /** The newest time that is known to have passed. */
  newestUs = -1

  constructor(blockUs: number, floor: number, alpha: number, waitUs = 0) {
    this.blockUs = blockUs
    this.epsilon = 1 - floor
    this.waitUs = waitUs
    this.logThreshold = -Math.log(alpha)
    this.bets = Float64Array.from(betShares, (share) => (share * mostOfBet) / floor)
  }

  /**
   * Counts a trial whose call ended at `endUs`, in its block. If that is closed, it counts in the oldest block that is not, or in that of the
   * present time: if it did not count, senders that deliver later would be served and be no evidence. The blocks wait for late trials because
   * a sender that delivers those of many blocks at once would otherwise weigh less than one that does not: all blocks weigh the same.
   */
  add(endUs: number, isWrong: boolean): void {
    const { state } = this
    this.pass(endUs)
    const block = this.blockFor(endUs)
    if (block > state.block) this.openBlock(block)
    const late = block < state.block ? this.findWaiting(block) : null
    const wrong = isWrong ? 1 : 0
    state.trials += 1
    state.wrong += wrong
    if (late === null) {
      state.openTrials += 1
      state.openWrong += wrong
    } else {
      late.trials += 1
      late.wrong += wrong
    }
  }

  private blockFor(endUs: number): number {
    const block = Math.floor(endUs / this.blockUs)
    if (!this.isOver(block)) return block
    this.state.late += 1
    return this.waiting[0]?.block ?? Math.floor(this.newestUs / this.blockUs)
  }

  /** Closes the blocks that have waited long enough at `atUs`. */
  pass(atUs: number): void {
    const { state, waiting } = this
    if (atUs <= this.newestUs) return
    this.newestUs = atUs
    if (state.openTrials > 0 && this.isOver(state.block)) this.putBy()
    while (waiting.length > 0 && this.isOver(waiting[0]!.block)) this.closeBlock(waiting.shift()!)
  }

  private isOver(block: number): boolean {
    return (block + 1) * this.blockUs + this.waitUs <= this.newestUs
  }

  private findWaiting(block: number): WaitingBlock {
    const { state, waiting } = this
    const known = waiting.find((one) => one.block === block)
    if (known !== undefined) return known
    const added = { block, trials: 0, wrong: 0 }
    const after = waiting.findIndex((one) => one.block > block)
    waiting.splice(after < 0 ? waiting.length : after, 0, added)
    state.firstBlock = Math.min(state.firstBlock, block)
    return added
  }

  private openBlock(block: number): void {
    const { state } = this
    this.putBy()
    if (state.firstBlock < 0) state.firstBlock = block
    state.block = block
  }

  private putBy(): void {
    const { state } = this
    const { block, openTrials: trials, openWrong: wrong } = state
    if (trials > 0) this.waiting.push({ block, trials, wrong })
    state.openTrials = 0
    state.openWrong = 0
  }

  /** Closes all blocks and counts them as they are. Later trials in the time of the newest one would form another block. */
  close(): void {
    this.putBy()
    for (const block of this.waiting.splice(0)) this.closeBlock(block)
  }

  private closeBlock({ trials, wrong }: WaitingBlock): void {
    const { state, bets, epsilon } = this
    const share = wrong / trials
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
    this.waiting = []
    this.newestUs = -1
  }
}
