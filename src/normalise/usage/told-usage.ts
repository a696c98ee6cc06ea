// Token counts as a sender tells them.

/** Counts as told. Null: not told. Whether `input` holds the cache and `output` the reasoning is not yet known. */
export type ToldUsage = {
  input: number | null
  output: number | null
  total: number | null
  cached: number | null
  cacheWrite: number | null
  cacheWrite5m: number | null
  cacheWrite1h: number | null
  reasoning: number | null
  /** The dialect is known to count the cache beside the input. */
  cacheIsBeside: boolean
}
