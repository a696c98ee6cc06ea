// Expected costs: published prices in USD per million tokens, and plain arithmetic independent of the code under test.
import type { ExecutionContext } from 'ava'

/** As published by @pydantic/genai-prices in 2026. */
export const usdPerMillion = {
  gpt4o: { input: 2.5, cached: 1.25, output: 10 },
  gpt5Mini: { input: 0.25, cached: 0.025, output: 2 },
  claudeSonnet46: { input: 3, cached: 0.3, write5m: 3.75, write1h: 6, output: 15 },
  embedding3Small: { input: 0.02 },
}

/** A sum of tokens × USD per million, given in pairs. */
export const usd = (...parts: readonly (readonly [tokens: number, perMillion: number])[]): number =>
  parts.reduce((sum, [tokens, perMillion]) => sum + tokens * perMillion, 0) / 1_000_000

/** Equal within 1e-9 USD. */
export function sameUsd(t: ExecutionContext, actual: number | null, expected: number): void {
  t.true(actual !== null && Math.abs(actual - expected) < 1e-9, `${actual} USD, not ${expected} USD`)
}
