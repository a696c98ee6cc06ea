// What a rule loses of prompt caching: a served result may stand in a prompt where the cache knew another one.

/** Of the calls that were the first to have a result in their prompt, by model. */
export type Caching = {
  readonly is_served: boolean
  readonly model: string
  readonly calls: number
  readonly input_tokens: number
  /** At the prices of the model: what cached input saved, less what writing it cost. */
  readonly savings_usd: number
  /** Calls before whose result another call of the trace stands. */
  readonly estimated_calls: number
  /** What of the savings was won on the result itself. */
  readonly beyond_usd: number
}

// Fewer calls of a model tell nothing.
const minCompared = 5

/**
 * USD per served call: how much less caching saved on each input token after a served result than after a real one, by model. Never
 * negative, since what caching happens to win is not the rule's doing. Null where no model has enough calls on both sides.
 */
export function measureCacheLoss(rows: readonly Caching[]): number | null {
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
 * USD per call, before anything was served: what caching has won on results that other calls of the model had in their prompts
 * already, which is what another content would lose. Null where too few calls tell.
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
