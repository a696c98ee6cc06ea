// What figures are made of, apart from how they look.
import type { Schemas } from '../api/client.ts'
import type { Bounds } from '../window/index.ts'

type Point = Schemas['StatsPoint']
type Breakdown = Schemas['StatsBreakdown']

/** The window of the same length that ends where this one begins. */
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

/** Input tokens hold those that were read from a cache and those that were written to one. */
export const splitTokens = (tokens: Tokens): TokenParts => ({
  fresh: Math.max(0, tokens.input_tokens - tokens.cached_tokens - tokens.cache_write_tokens),
  cached: tokens.cached_tokens,
  written: tokens.cache_write_tokens,
  output: tokens.output_tokens,
})

const collective = new Set(['unknown', 'other'])

/** What was called without a name, and what is beyond the names that are kept apart, are one group: no filter finds what is in it. */
export const isNamed = ({ key }: Pick<Breakdown['items'][number], 'key'>): boolean => !collective.has(key)

/** Nothing took any time where nothing ran: that is no duration of zero. */
export const durationOf = (ms: number, { events }: Pick<Point, 'events'>): number | null => (events === 0 ? null : ms)
