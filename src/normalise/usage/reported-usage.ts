// The token counts of a span as its sender reports them.

/** Reported counts. Null: not reported. It is not yet known whether `input` includes the cache, and `output` the reasoning. */
export type ReportedUsage = {
  input: number | null
  output: number | null
  total: number | null
  cached: number | null
  cacheWrite: number | null
  cacheWrite5m: number | null
  cacheWrite1h: number | null
  reasoning: number | null
  /** The dialect is known to report an input that does not include the cache. */
  cacheIsAdditive: boolean
  /** The sender reports more output than any call can have. It counts only while `output` is null. */
  isOutputAbsurd: boolean
}
