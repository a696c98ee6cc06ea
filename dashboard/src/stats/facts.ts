// The computation of figures, without their display.
import type { Schemas } from '../api/client.ts'
import type { Bounds } from '../window/index.ts'

type Point = Schemas['StatsPoint']
type Breakdown = Schemas['StatsBreakdown']

/** Returns the window of the same length that ends where this one begins. */
export function windowBefore({ from, to }: Bounds): Bounds {
  const lengthMs = Date.parse(to) - Date.parse(from)
  return { from: new Date(Date.parse(from) - lengthMs).toISOString(), to: from }
}

export type TokenParts = {
  readonly fresh: number
  readonly cached: number
  readonly written: number
  readonly output: number
}

type Tokens = Pick<Point, 'input_tokens' | 'cached_tokens' | 'cache_write_tokens' | 'output_tokens'>

/** Splits tokens into parts that do not overlap: input tokens include those read from a cache and those written to one. */
export const splitTokens = (tokens: Tokens): TokenParts => ({
  fresh: Math.max(0, tokens.input_tokens - tokens.cached_tokens - tokens.cache_write_tokens),
  cached: tokens.cached_tokens,
  written: tokens.cache_write_tokens,
  output: tokens.output_tokens,
})

const collective = new Set(['unknown', 'other'])

/** False for the groups of calls without a name (`unknown`) and of all further names (`other`), for which there is no filter. */
export const isNamed = ({ key }: Pick<Breakdown['items'][number], 'key'>): boolean => !collective.has(key)

/** Returns null without events, for which the API reports a duration of 0. */
export const durationOf = (ms: number, { events }: Pick<Point, 'events'>): number | null => (events === 0 ? null : ms)
