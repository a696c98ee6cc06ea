// The watch over a rung: an e-detector in the form of a CUSUM (Shin, Ramdas & Rinaldo 2023). It counts trials, not blocks, since a false
// alarm costs a rung but serves no wrong result. The maximum with 1 forgets a clean past, so that a change is detected after a year as soon
// as after an hour.
import { logMean } from './evidence.ts'

const betShares = [0.02, 0.05, 0.1, 0.2, 0.4, 0.7, 0.9]
const mostOfBet = 0.999
const alarmAt = Math.log(200)
/** Number of wrong trials in a row at different inputs that end serving at once, regardless of the floor. */
const wrongInARow = 5

// A rung below the failed one holds while its own detector is below this.
const holdsBelow = Math.log(20)
// Logarithm of the part of the capital of the failed rung with which the rung below begins: the next wrong trial is enough.
const inherited = -Math.log(15)

export type BreachReason = 'wrong_share' | 'wrong_in_a_row'

export class Watch {
  private readonly gains: Float64Array
  private readonly losses: Float64Array
  readonly logs = new Float64Array(betShares.length)
  /** Distinct fingerprints of the inputs of the wrong trials since the last right one. */
  wrongInputs: number[] = []

  constructor(floor: number) {
    const epsilon = 1 - floor
    const bets = Float64Array.from(betShares, (share) => (share * mostOfBet) / epsilon)
    this.gains = bets.map((bet) => Math.log1p(bet * (1 - epsilon)))
    this.losses = bets.map((bet) => Math.log1p(-bet * epsilon))
  }

  /** Counts a trial. Returns a reason if the rung no longer holds. */
  add(isWrong: boolean, input: number): BreachReason | null {
    const { logs } = this
    const steps = isWrong ? this.gains : this.losses
    for (let j = 0; j < steps.length; j++) logs[j] = Math.max(logs[j]!, 0) + steps[j]!
    if (!isWrong) {
      this.wrongInputs = []
      return null
    }
    if (this.wrongInputs.length < wrongInARow && !this.wrongInputs.includes(input)) this.wrongInputs.push(input)
    if (this.wrongInputs.length === wrongInARow) return 'wrong_in_a_row'
    return logMean(logs) >= alarmAt ? 'wrong_share' : null
  }

  /** True if the rung may serve after the one above has failed. */
  get holds(): boolean {
    return logMean(this.logs) < holdsBelow
  }

  reset(): void {
    this.logs.fill(0)
    this.wrongInputs = []
  }

  /** Takes over part of the capital of the failed rung above, since the cause of its failure may also affect this one. */
  inherit({ logs }: Watch): void {
    for (let j = 0; j < logs.length; j++) this.logs[j] = Math.max(0, this.logs[j]!, logs[j]! + inherited)
    this.wrongInputs = []
  }
}
