// Measures what a rule loses of prompt caching: a served result may replace another one that the cache knows at that position of a prompt.

/** Sums over the model calls that were the first to have a result in their prompt, by model. */
export type CacheSums = {
  readonly is_served: boolean
  readonly model: string
  readonly calls: number
  readonly input_tokens: number
  /** At the prices of the model: what cached input saved, less the cost of writing it to the cache. */
  readonly savings_usd: number
}

export type Caching = CacheSums & {
  /** Sums over the calls: what each saved on a token of its input, and the square of it. */
  readonly saved_per_token: number
  readonly squares: number
  /** Number of calls whose result comes after an earlier call of the trace. */
  readonly estimated_calls: number
  /** Part of the savings that is due to the result itself. */
  readonly beyond_usd: number
}

// Fewer calls of a model are no basis for a comparison.
const minCompared = 5

// For a proof, the mean of fewer calls is too far from a normal distribution.
const minProven = 30
// Five standard errors: a rule without any loss exceeds them in one of three million measurements, and it is measured again and again.
const standardErrors = 5

/**
 * Returns the loss in USD per served call that is certain although caching differs from call to call: a lower bound of what
 * `measureCacheLoss` estimates. 0 without a proof.
 */
export function proveCacheLoss(rows: readonly Caching[]): number {
  let [lostUsd, calls] = [0, 0]
  for (const served of rows) {
    if (!served.is_served) continue
    calls += served.calls
    const real = rows.find((row) => !row.is_served && row.model === served.model)
    if (real === undefined || Math.min(served.calls, real.calls) < minProven) continue
    const [before, after] = [meanOf(real), meanOf(served)]
    const lostPerToken = before.mean - after.mean - standardErrors * Math.sqrt(before.variance + after.variance)
    lostUsd += Math.max(0, lostPerToken) * served.input_tokens
  }
  return calls === 0 ? 0 : lostUsd / calls
}

/** The mean saving of a call per token of its input, and the variance of that mean. */
function meanOf({ calls, saved_per_token: sum, squares }: Caching): {
  readonly mean: number
  readonly variance: number
} {
  const mean = sum / calls
  return { mean, variance: Math.max(0, squares / calls - mean ** 2) / (calls - 1) }
}

/**
 * Returns the loss in USD per served call: how much less caching saved on each input token after a served result than after a real one, by
 * model. Never negative, since a gain of caching is not an effect of the rule. Returns null if no model has enough calls on both sides.
 */
export function measureCacheLoss(rows: readonly CacheSums[]): number | null {
  let [lostUsd, calls] = [0, 0]
  for (const served of rows) {
    if (!served.is_served || served.calls < minCompared) continue
    const real = rows.find((row) => !row.is_served && row.model === served.model && row.calls >= minCompared)
    if (real === undefined) continue
    const lostPerToken = real.savings_usd / real.input_tokens - served.savings_usd / served.input_tokens
    lostUsd += Math.max(0, lostPerToken) * served.input_tokens
    calls += served.calls
  }
  return calls === 0 ? null : lostUsd / calls
}

/**
 * Returns the expected loss in USD per call, before anything was served: what caching has saved on results that other calls of the model
 * already had in their prompts. Other content would lose these savings. Returns null if there are too few calls.
 */
export function estimateCacheLoss(rows: readonly Caching[]): number | null {
  let [lostUsd, calls] = [0, 0]
  for (const row of rows) {
    if (row.is_served) continue
    lostUsd += row.beyond_usd
    calls += row.estimated_calls
  }
  return calls < minCompared ? null : lostUsd / calls
}
