// Computes the cost of a call and what prompt caching saved on it.
import type { Usage } from '../event/event.ts'
import type { Rate, Rates } from './rates.ts'

export type Cost = {
  readonly costUsd: number
  /** The saving of cached input less the extra cost of writing to the cache; null where no cache counts are reported. */
  readonly cacheSavingsUsd: number | null
}

/** Returns a count that can be multiplied: at most 2^53 - 1, and 0 for null, NaN and negative counts. */
const clamp = (count: number | null): number =>
  count !== null && count > 0 ? Math.min(count, Number.MAX_SAFE_INTEGER) : 0

function perToken(rate: Rate, input: number): number {
  for (const tier of rate.tiers) if (input > tier.start) return tier.price / 1e6
  return rate.base / 1e6
}

/**
 * Returns the cost at the given prices, in USD, or null where it is unknown: without an input count, or with tokens of a kind that the
 * model has no price for. The cost is never negative and never NaN. Counts are inclusive: a count that is less than the sum of its parts is
 * raised to it. A missing output count adds nothing. Context tiers are chosen by the whole input. A cached part without a separate price
 * costs what input costs. Tokens of images and sound cost what text does, since `Usage` does not separate them.
 */
export function costOf(rates: Rates, usage: Usage): Cost | null {
  if (usage.inputTokens === null || Number.isNaN(usage.inputTokens)) return null
  const cached = clamp(usage.cachedTokens)
  const written = clamp(usage.cacheWriteTokens)
  const written1h = Math.min(clamp(usage.cacheWrite1hTokens), written)
  const input = Math.max(clamp(usage.inputTokens), cached + written)
  const reasoning = clamp(usage.reasoningTokens)
  const output = Math.max(clamp(usage.outputTokens), reasoning)
  if ((input > 0 && rates.input === null) || (output > 0 && rates.output === null)) return null
  if (rates.input === null && rates.output === null) return null

  const inputPrice = rates.input === null ? 0 : perToken(rates.input, input)
  const outputPrice = rates.output === null ? 0 : perToken(rates.output, input)
  const readPrice = rates.cacheRead === null ? inputPrice : perToken(rates.cacheRead, input)
  const writePrice = rates.cacheWrite === null ? inputPrice : perToken(rates.cacheWrite, input)
  const write1hPrice = rates.cacheWrite1h === null ? writePrice : perToken(rates.cacheWrite1h, input)
  const reasoningPrice = rates.reasoning === null ? outputPrice : perToken(rates.reasoning, input)

  const costUsd =
    Math.max(input - cached - written, 0) * inputPrice +
    cached * readPrice +
    (written - written1h) * writePrice +
    written1h * write1hPrice +
    (output - reasoning) * outputPrice +
    reasoning * reasoningPrice +
    rates.callUsd
  const told = usage.cachedTokens !== null || usage.cacheWriteTokens !== null
  const cacheSavingsUsd =
    cached * (inputPrice - readPrice) -
    (written - written1h) * (writePrice - inputPrice) -
    written1h * (write1hPrice - inputPrice)
  return { costUsd, cacheSavingsUsd: told ? cacheSavingsUsd : null }
}
