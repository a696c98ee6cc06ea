// One run of a tool under a gate: calls are served or executed as the gate decides, and right and wrong ones are counted.
import type { Execution } from '../../../src/decisions/gate/replay.ts'
import { makeRng, type Rng, type Scenario } from './_scenarios.ts'

export const holdoutRate = 0.05

/** A gate under simulation. */
export type Gate = {
  /** The serving rung, in seconds; null: shadow. */
  servedS(): number | null
  /** The content hash that would be served; null: none. */
  lookUp(inputHash: string, atUs: number): string | null
  observe(execution: Execution): void
  stepsDown(): number
}

export type Run = {
  readonly calls: number
  readonly served: number
  readonly wrong: number
  readonly activatedS: number | null
  readonly rungS: number | null
  readonly stepsDown: number
  readonly wrongBeforeStep: number
  readonly servedAfterStep: number
  readonly wrongAfterStep: number
}

export type Traffic = { readonly rate: number; readonly inputs: number }

const startUs = Date.UTC(2026, 0, 1) * 1_000

/** Returns the cumulative weights of inputs by Zipf's law. */
const weigh = (inputs: number): number[] => {
  let sum = 0
  return Array.from({ length: inputs }, (_, nth) => (sum += 1 / (nth + 1)))
}

export const spanIdOf = (rng: Rng): string =>
  Math.floor(rng() * 4_294_967_296).toString(16) + Math.floor(rng() * 4_294_967_296).toString(16)

export function simulate(gate: Gate, scenario: Scenario, traffic: Traffic, seed: number, seconds?: number): Run {
  const rng = makeRng(seed * 31 + 1)
  const value = scenario.make(seed)
  const rate = scenario.rate ?? traffic.rate
  const untilS = seconds ?? (scenario.days ?? 1) * 86_400
  const weights = weigh(traffic.inputs)
  const total = weights.at(-1)!
  const run = { calls: 0, served: 0, wrong: 0, wrongBeforeStep: 0, servedAfterStep: 0, wrongAfterStep: 0 }
  let activatedS: number | null = null
  for (let t = 0; t < untilS; ) {
    t += -Math.log(1 - rng()) / rate
    const drawn = rng() * total
    const input = weights.findIndex((weight) => weight >= drawn)
    const inputHash = `input:${input}`
    const atUs = startUs + Math.round(t * 1e6)
    const stored = gate.servedS() === null ? null : gate.lookUp(inputHash, atUs)
    const isServed = stored !== null && rng() >= holdoutRate
    run.calls++
    const result = value({ input, t, nth: run.calls, rng, isServable: stored !== null })
    const contentHash = result === null ? null : String(result)
    if (isServed) {
      const isWrong = stored !== contentHash ? 1 : 0
      run.served++
      run.wrong += isWrong
      if (gate.stepsDown() === 0) run.wrongBeforeStep += isWrong
      else {
        run.servedAfterStep++
        run.wrongAfterStep += isWrong
      }
      continue
    }
    const isError = result === null
    const ids = { traceId: '0', spanId: spanIdOf(rng), isHeldOut: stored !== null }
    gate.observe({ startUs: atUs, endUs: atUs, inputHash, contentHash, isError, ...ids })
    if (activatedS === null && gate.servedS() !== null) activatedS = Math.round(t)
  }
  return { ...run, activatedS, rungS: gate.servedS(), stepsDown: gate.stepsDown() }
}
