// Splits the tokens of a call into parts that do not overlap. Input includes cached tokens and cache writes, output includes reasoning.

export type TokenPart = {
  readonly name: 'fresh' | 'cached' | 'written' | 'output' | 'reasoning'
  readonly tokens: number
}

type Counts = {
  readonly input_tokens: number | null
  readonly output_tokens: number | null
  readonly cached_tokens: number | null
  readonly cache_write_tokens: number | null
  readonly reasoning_tokens?: number | null
}

/** Returns the parts that are not zero. */
export function splitTokens(counts: Counts): TokenPart[] {
  const cached = counts.cached_tokens ?? 0
  const written = counts.cache_write_tokens ?? 0
  const reasoning = counts.reasoning_tokens ?? 0
  const parts: TokenPart[] = [
    { name: 'fresh', tokens: Math.max(0, (counts.input_tokens ?? 0) - cached - written) },
    { name: 'cached', tokens: cached },
    { name: 'written', tokens: written },
    { name: 'output', tokens: Math.max(0, (counts.output_tokens ?? 0) - reasoning) },
    { name: 'reasoning', tokens: reasoning },
  ]
  return parts.filter(({ tokens }) => tokens > 0)
}

/** Returns why a call has no cost. Without its number of input tokens it has none, even if the model has a price. */
export const explainNoCost = ({
  input_tokens: input,
  model,
}: Pick<Counts, 'input_tokens'> & { readonly model: string | null }): string =>
  input === null ? 'it reports no input tokens' : `no price for ${model ?? 'an unknown model'}`
