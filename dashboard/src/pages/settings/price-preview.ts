// What prices of one's own would have cost over some days that are known, model by model.
import type { Schemas } from '../../api/client.ts'
import { isNamed } from '../../stats/facts.ts'

export type Price = Schemas['WorkspacePrice']
/** A model, and the sums of its calls. */
export type ModelUse = Pick<
  Schemas['BreakdownRow'],
  'key' | 'label' | 'llm_calls' | 'input_tokens' | 'output_tokens' | 'cached_tokens' | 'cost_usd' | 'unpriced_calls'
>

export type Preview = {
  readonly model: ModelUse
  /** Null where it cannot be computed. */
  readonly costUsd: number | null
  /** Why the cost cannot be computed, or is not exact; null where it is. */
  readonly note: string | null
}

/** Without regard to case; `*` stands for any text. Each part is looked for behind the one before it. */
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

/** When a price begins to hold. Of a date that is not filled in yet nothing is known: it counts as none. */
const startOf = ({ valid_from: from }: Price): number => {
  const ms = from === null ? Number.NaN : Date.parse(from)
  return Number.isNaN(ms) ? Number.NEGATIVE_INFINITY : ms
}

/** Those that may hold for calls of the model at `ms`, the first to hold first: a name before a pattern, a longer pattern before a shorter. */
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

/** Which of the models the price is looked at for, and what they would have cost with the whole list, as it is once the price holds. */
export const previewPrice = (
  price: Price,
  prices: readonly Price[],
  models: readonly ModelUse[],
  nowMs: number,
): readonly Preview[] =>
  models
    .filter((model) => isNamed(model) && matchesModel(price.model, model.key))
    .map((model) => previewModel(price, listPrices(prices, model.key, Math.max(nowMs, startOf(price))), model))

/** `prices`: those that hold with it, the first to hold first. */
function previewModel(price: Price, prices: readonly Price[], model: ModelUse): Preview {
  const [first] = prices
  if (first?.provider != null) {
    const note = `only calls of ${first.provider}; the sums do not tell providers apart`
    return { model, costUsd: null, note }
  }
  if (first !== price) return { model, costUsd: null, note: `“${first?.model ?? ''}” goes before it` }
  const note = price.cache_write_usd_per_m === null ? null : 'cache writes at the price of input'
  return { model, costUsd: costOf(price, model), note }
}

/** In USD. Input includes what was cached; without a price of its own that costs what input costs. */
function costOf(price: Price, { input_tokens: input, output_tokens: output, cached_tokens: cached }: ModelUse): number {
  const fresh = Math.max(0, input - cached)
  const cachedUsd = price.cached_usd_per_m ?? price.input_usd_per_m
  return (fresh * price.input_usd_per_m + cached * cachedUsd + output * price.output_usd_per_m) / 1e6
}
