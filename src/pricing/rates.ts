// The prices of one model as numbers to multiply with, and their choice by time.
import type { ConditionalPrice, ModelInfo, ModelPrice, TieredPrices } from '@pydantic/genai-prices'

const dayMs = 86_400_000

/** USD per million tokens. A tier applies to the whole call if its input is larger than `start`. The highest `start` comes first. */
export type Rate = {
  readonly base: number
  readonly tiers: readonly { readonly start: number; readonly price: number }[]
}

/** Null: the model has no such price. */
export type Rates = {
  readonly input: Rate | null
  readonly output: Rate | null
  readonly cacheRead: Rate | null
  readonly cacheWrite: Rate | null
  readonly cacheWrite1h: Rate | null
  readonly reasoning: Rate | null
  /** USD for each call, in addition to its tokens. */
  readonly callUsd: number
}

type Period = {
  /** Its first millisecond; null where it has no start date. */
  readonly fromMs: number | null
  /** Milliseconds of the UTC day, the end not included; null where it applies all day. */
  readonly day: { readonly startMs: number; readonly endMs: number } | null
  readonly rates: Rates
}

/** Later periods are more specific. The first applies where no other does. */
export type RateBook = readonly [Period, ...Period[]]

function toRate(price: number | TieredPrices | undefined): Rate | null {
  if (price === undefined) return null
  if (typeof price === 'number') return { base: price, tiers: [] }
  return { base: price.base, tiers: price.tiers.toSorted((a, b) => b.start - a.start) }
}

function toRates(prices: ModelPrice): Rates {
  const perThousandCalls = prices['requests_kcount']
  return {
    input: toRate(prices['input_mtok']),
    output: toRate(prices['output_mtok']),
    cacheRead: toRate(prices['cache_read_mtok']),
    cacheWrite: toRate(prices['cache_write_mtok']),
    cacheWrite1h: toRate(prices['cache_write_1h_mtok']),
    reasoning: toRate(prices['output_reasoning_mtok']),
    callUsd: typeof perThousandCalls === 'number' ? perThousandCalls / 1_000 : 0,
  }
}

const timeOfDayMs = (time: string): number => ((Date.parse(`1970-01-01T${time}`) % dayMs) + dayMs) % dayMs

function toPeriod({ constraint, prices }: ConditionalPrice): Period {
  const rates = toRates(prices)
  if (constraint === undefined) return { fromMs: null, day: null, rates }
  if (constraint.type === 'start_date') return { fromMs: Date.parse(constraint.start_date), day: null, rates }
  const day = { startMs: timeOfDayMs(constraint.start_time), endMs: timeOfDayMs(constraint.end_time) }
  return { fromMs: null, day, rates }
}

const freeOfCharge: Rate = { base: 0, tiers: [] }

/** The lists leave the prices of free models empty, but also those of some others: only the name identifies a free model. */
const isFree = ({ id, name = '' }: ModelInfo): boolean => id.endsWith(':free') || name.endsWith('(free)')

/** Returns all prices that a model ever had. Takes a few µs, so cache the result. */
export function compileRates(model: ModelInfo): RateBook {
  const [first, ...others] = Array.isArray(model.prices) ? model.prices : [{ prices: model.prices }]
  const oldest = toPeriod(first ?? { prices: {} })
  if (others.length > 0 || Object.keys(first?.prices ?? {}).length > 0 || !isFree(model))
    return [oldest, ...others.map(toPeriod)]
  return [{ ...oldest, rates: { ...oldest.rates, input: freeOfCharge, output: freeOfCharge } }]
}

function holds(period: Period, timeMs: number): boolean {
  if (period.fromMs !== null) return timeMs >= period.fromMs
  if (period.day === null) return true
  const { startMs, endMs } = period.day
  const ofDayMs = ((timeMs % dayMs) + dayMs) % dayMs
  return startMs <= endMs ? ofDayMs >= startMs && ofDayMs < endMs : ofDayMs >= startMs || ofDayMs < endMs
}

/** Returns the prices at a time (Unix milliseconds). Before all known prices, the oldest apply. */
export function ratesAt(book: RateBook, timeMs: number): Rates {
  for (let i = book.length - 1; i > 0; i--) {
    const period = book[i]
    if (period !== undefined && holds(period, timeMs)) return period.rates
  }
  return book[0].rates
}
