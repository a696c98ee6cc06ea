// Computes what the input of a call costs, by the prices of the workspace or the price list.
import { noUsage } from '../event/event.ts'
import type { ScanContext } from './detector.ts'

/** Returns USD for the input tokens, of which some are read from a cache or written to one; null if no price is known. */
export function priceInput(
  { prices, nowMs }: Pick<ScanContext, 'prices' | 'nowMs'>,
  { provider, model }: { readonly provider: string | null; readonly model: string },
  tokens: { readonly input: number; readonly cached: number; readonly written: number },
): number | null {
  const usage = {
    ...noUsage,
    inputTokens: tokens.input,
    outputTokens: 0,
    cachedTokens: tokens.cached,
    cacheWriteTokens: tokens.written,
  }
  return prices.priceUsage({ provider, model, usage, startTimeMs: nowMs }).costUsd
}
