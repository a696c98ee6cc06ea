// Computes what the calls of the last days would have cost with workspace prices, by model.
import type { Schemas } from '../../api/client.ts'
import { isNamed } from '../../stats/facts.ts'

export type Price = Schemas['WorkspacePrice']
/** A model with the sums over its calls. */
export type ModelUse = Pick<
  Schemas['BreakdownRow'],
  'key' | 'label' | 'llm_calls' | 'input_tokens' | 'output_tokens' | 'cached_tokens' | 'cost_usd' | 'unpriced_calls'
>

export type Preview = {
  readonly model: ModelUse
  /** Null: the cost cannot be computed. */
  readonly costUsd: number | null
  /** The reason why the cost cannot be computed or is not exact. Null: it is exact. */
  readonly note: string | null
}

/** Matches without regard to case; `*` stands for any text. Each part of the pattern is searched for after the previous one. */
export function matchesModel(pattern: string, model: string): boolean {
  const name = model.trim().toLowerCase()
  const [head = '', ...parts] = pattern.trim().toLowerCase().split('*')
  const tail = parts.pop()
  if (tail === undefined) return name === head
  const end = name.length - tail.length
  if (end < head.length || !name.startsWith(head) || !name.endsWith(tail)) return false
  let from = head.length
  for (const part of parts) {
    const at = name.indexOf(part, from)
    if (at < 0) return false
    from = at + part.length
  }
  return from <= end
}

const isPattern = (model: string): boolean => model.includes('*')
const countLiterals = (model: string): number => model.replaceAll('*', '').length

/** Returns the time in milliseconds from which a price is valid. An incomplete date counts as none. */
const startOf = ({ valid_from: from }: Price): number => {
  const ms = from === null ? Number.NaN : Date.parse(from)
  return Number.isNaN(ms) ? Number.NEGATIVE_INFINITY : ms
}

/**
 * Returns the prices that can apply to calls of the model at `ms`, in order of precedence: a price of a provider before one of any
 * provider, a name before a pattern, a longer pattern before a shorter one, a later start before an earlier one.
 */
export const listPrices = (prices: readonly Price[], model: string, ms: number): readonly Price[] =>
  prices
    .filter((price) => matchesModel(price.model, model) && startOf(price) <= ms)
    .toSorted(
      (a, b) =>
        Number(a.provider === null) - Number(b.provider === null) ||
        Number(isPattern(a.model)) - Number(isPattern(b.model)) ||
        countLiterals(b.model) - countLiterals(a.model) ||
        (b.valid_from ?? '').localeCompare(a.valid_from ?? ''),
    )

/** Returns the models that the price matches, with what they would have cost with the whole list at a time when the price is valid. */
export const previewPrice = (
  price: Price,
  prices: readonly Price[],
  models: readonly ModelUse[],
  nowMs: number,
): readonly Preview[] =>
  models
    .filter((model) => isNamed(model) && matchesModel(price.model, model.key))
    .map((model) => previewModel(price, listPrices(prices, model.key, Math.max(nowMs, startOf(price))), model))

/** `prices`: the prices that can apply to the model, in order of precedence. */
function previewModel(price: Price, prices: readonly Price[], model: ModelUse): Preview {
  const [first] = prices
  if (first?.provider != null) {
    const note = `only calls of ${first.provider}; the sums do not tell providers apart`
    return { model, costUsd: null, note }
  }
  if (first !== price) return { model, costUsd: null, note: `“${first?.model ?? ''}” takes precedence` }
  return { model, costUsd: costOf(price, model), note: noteOf(price, model) }
}

/** The most frequent reason for an unexpected cost is a price without a rate for cached input, which is usually a tenth of that of input. */
function noteOf(price: Price, { cached_tokens: cached }: ModelUse): string | null {
  if (price.cached_usd_per_m === null && cached > 0)
    return 'cached tokens cost as much as other input, because “Cached input” is empty'
  return price.cache_write_usd_per_m === null ? null : 'cache writes at the price of input'
}

/** Returns the cost in USD. Input tokens include cached ones, which cost the same if the price has no rate for cached input. */
function costOf(price: Price, { input_tokens: input, output_tokens: output, cached_tokens: cached }: ModelUse): number {
  const fresh = Math.max(0, input - cached)
  const cachedUsd = price.cached_usd_per_m ?? price.input_usd_per_m
  return (fresh * price.input_usd_per_m + cached * cachedUsd + output * price.output_usd_per_m) / 1e6
}
