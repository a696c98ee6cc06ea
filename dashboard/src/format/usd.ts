// Formats amounts in USD. A cost without a price is a dash, and a sum that lacks prices is marked: neither is ever shown as zero.
import { exact, fixed, missing, significant, withMinus } from './numbers.ts'

/** `$12,345` · `$12.34` · `$0.0423` · `$0.00042` · `$0`; null: `—`. */
export const formatUsd = (usd: number | null): string =>
  usd === null ? missing : withMinus(usd, `$${formatAmount(Math.abs(usd))}`)

// Each bound is where the rounded text would change its format, so that 999.995 is $1,000 and not $1,000.00.
function formatAmount(usd: number): string {
  if (usd === 0) return '0'
  if (usd >= 999.995) return fixed(usd, 0)
  if (usd >= 0.99995) return fixed(usd, 2)
  if (Number(significant(usd, 2)) >= 0.01) return fixed(usd, 4)
  return significant(usd, 2)
}

/** Returns a sum in which `unpricedCalls` calls have no price: `≥ $12.34`, or `—` if no call has one. */
export function formatUsdSum(usd: number | null, unpricedCalls: number, format = formatUsd): string {
  if (unpricedCalls === 0) return format(usd)
  return usd === null || usd === 0 ? missing : `≥ ${format(usd)}`
}

/** Returns why a cost is missing or too low, for hover texts; null if all calls have a price. */
export function explainUnpriced(unpricedCalls: number, model: string | null = null): string | null {
  if (unpricedCalls === 0) return null
  if (model !== null) return `no price for model ${model}`
  return unpricedCalls === 1 ? '1 call has no price' : `${fixed(unpricedCalls, 0)} calls have no price`
}

/** Returns the unrounded amount, for hover texts and for copying. */
export const formatUsdExact = (usd: number | null): string =>
  usd === null ? missing : withMinus(usd, `$${exact(Math.abs(usd))}`)

/** Returns a price of tokens: `$2.50 per 1M`. */
export const formatUsdRate = (usdPerMillion: number | null): string =>
  usdPerMillion === null ? missing : `${formatUsd(usdPerMillion)} per 1M`
