// What the overview makes of the answers, apart from how it looks.
import type { Schemas } from '../../api/client.ts'
import type { Bounds } from '../../window/index.ts'

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

/** Calls without a price in a breakdown by model; the cost beside it is then too low. */
export const countUnpriced = ({ items, other }: Breakdown): number =>
  [...items, ...(other === null ? [] : [other])].reduce((sum, row) => sum + row.unpriced_calls, 0)

/** The cost of all rows, those that are not shown included. */
export const sumCost = ({ items, other }: Breakdown): number =>
  [...items, ...(other === null ? [] : [other])].reduce((sum, row) => sum + row.cost_usd, 0)

/** Where the rows of a breakdown have no cost, calls are what sets them apart. */
export const countEvents = ({ items, other }: Breakdown): number =>
  [...items, ...(other === null ? [] : [other])].reduce((sum, row) => sum + row.events, 0)

/** Rules that cost more than they save, the worst first. */
export const losingRules = ({ decisions }: Schemas['Savings']): Schemas['Savings']['decisions'] =>
  decisions.filter(({ net_usd: netUsd }) => netUsd < 0).toSorted((a, b) => a.net_usd - b.net_usd)

/** The moment of the newest event of any agent; null where there has never been one. */
export function findNewest(agents: readonly Pick<Schemas['Agent'], 'last_seen'>[]): number | null {
  const times = agents.map(({ last_seen: lastSeen }) => Date.parse(lastSeen))
  return times.length === 0 ? null : Math.max(...times)
}

/** Whether the newest event lies before the window; the page then offers to show it. */
export const isBefore = (newestMs: number, { from }: Bounds): boolean => newestMs < Date.parse(from)
