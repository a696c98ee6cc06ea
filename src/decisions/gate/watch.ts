// Floor 3. The watch over what is served: an e-detector in the form of a CUSUM (Shin, Ramdas & Rinaldo 2023). It counts trials, not
// blocks: a false alarm costs a rung and no wrong result. The maximum with 1 forgets a clean past, so that a change is noticed as soon
// after a year as after an hour.
import { logMean } from './evidence.ts'

const betShares = [0.02, 0.05, 0.1, 0.2, 0.4, 0.7, 0.9]
const mostOfBet = 0.999
const alarmAt = Math.log(200)
/** So many wrong trials in a row at different inputs end serving at once, whatever the floor. */
const wrongInARow = 5

export type BreachReason = 'wrong_share' | 'wrong_in_a_row'

export class Watch {
  private readonly epsilon: number
  private readonly bets: Float64Array
  readonly logs = new Float64Array(betShares.length)
  /** Fingerprints of the inputs of the wrong trials since the last right one, each once. */
  wrongInputs: number[] = []

  constructor(floor: number) {
    this.epsilon = 1 - floor
    this.bets = Float64Array.from(betShares, (share) => (share * mostOfBet) / this.epsilon)
  }

  /** Counts a trial of the rung that serves. A reason: it no longer holds. */
  add(isWrong: boolean, input: number): BreachReason | null {
    const { logs, bets, epsilon } = this
    const excess = (isWrong ? 1 : 0) - epsilon
    for (let j = 0; j < bets.length; j++) logs[j] = Math.max(logs[j]!, 0) + Math.log1p(bets[j]! * excess)
    if (!isWrong) this.wrongInputs = []
    else if (!this.wrongInputs.includes(input)) this.wrongInputs.push(input)
    if (this.wrongInputs.length >= wrongInARow) return 'wrong_in_a_row'
    return logMean(logs) >= alarmAt ? 'wrong_share' : null
  }

  reset(): void {
    this.logs.fill(0)
    this.wrongInputs = []
  }
}
