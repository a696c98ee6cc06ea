// Prices a call by the price lists that are bundled with genai-prices.
import { calcPrice, findProvider, type PriceCalculation } from '@pydantic/genai-prices'
import { LRUCache } from 'lru-cache'
import type { Usage } from '../event/event.ts'
import { costOf } from './cost.ts'
import { candidatesOf } from './model-names.ts'
import { compileRates, type RateBook, type Rates, ratesAt } from './rates.ts'
import { findAtSoleMaker } from './sole-maker.ts'

/** The installed release of genai-prices (a test compares it with package.json). A re-pricing finds its rows by it. */
export const priceListVersion = '0.1.8'

/** The source of a cost that the sender stated. */
export const senderSource = 'sender'

const maxCachedModels = 4_096
const maxNameLength = 256
/** How many spellings of a name are looked up in the lists of the makers. */
const maxMakerNames = 3

export type PriceQuestion = {
  /** As sent or canonical. */
  readonly provider: string | null
  readonly model: string | null
  readonly usage: Usage
  readonly startTimeMs: number
  readonly serviceTier?: string | null
  readonly batch?: boolean
}

export type Priced = {
  readonly costUsd: number | null
  readonly cacheSavingsUsd: number | null
  /**
   * `genai-prices:<version>:<list>/<model>` or `workspace:<revision>:<provider or *>/<model>[@<valid from>]`, followed by `;standard-rate`
   * if the call belongs to a batch or a service tier, whose rates the lists do not contain. `senderSource` where the sender stated the cost.
   */
  readonly source: string | null
}

export type PriceBook = {
  /**
   * Returns cost and cache savings of one call at the prices of its start time. All fields are null if the model or a count is unknown. A
   * call with tokens costs 0 only if the list says that the model is free. The lists contain no rates for batches and service tiers: such a
   * call is priced at the standard rate, which its source shows. Takes about 1 µs for a model that was seen before.
   */
  readonly priceUsage: (question: PriceQuestion) => Priced
}

type Entry = { readonly rates: RateBook; readonly source: string }

type Known = Entry | { readonly rates: null }

const unpriced: Priced = { costUsd: null, cacheSavingsUsd: null, source: null }
const standardTiers = new Set(['default', 'standard', 'auto', 'standard_only', 'on_demand', ''])

const hasList = (list: string): boolean => findProvider({ providerId: list })?.id === list

const toEntry = ({ provider, model }: PriceCalculation): Entry => ({
  rates: compileRates(model),
  source: `genai-prices:${priceListVersion}:${provider.id}/${model.id}`,
})

function lookUp(provider: string | null, model: string): Entry | null {
  const candidates = candidatesOf(provider, model, hasList)
  for (const { list, name } of candidates) {
    const found = calcPrice({}, name, list === null ? {} : { providerId: list })
    if (found !== null) return toEntry(found)
  }
  // If the sender names a provider that has a list, that list would contain the model.
  if (candidates.some(({ list }) => list !== null && hasList(list))) return null
  const names = candidates.filter(({ list }) => list === null).slice(0, maxMakerNames)
  for (const { name } of names) {
    const found = findAtSoleMaker(name)
    if (found !== null) return toEntry(found)
  }
  return null
}

/** Prices a call at these rates. All fields are null where a count is unknown. */
export function priceAt(
  rates: Rates,
  source: string,
  { usage, serviceTier = null, batch = false }: Pick<PriceQuestion, 'usage' | 'serviceTier' | 'batch'>,
): Priced {
  const cost = costOf(rates, usage)
  if (cost === null) return unpriced
  const special = batch || (serviceTier !== null && !standardTiers.has(serviceTier.toLowerCase()))
  return { ...cost, source: special ? `${source};standard-rate` : source }
}

/** Opens a price book with a cache of up to 4,096 resolved models, also of those that were not found. */
export function openPriceBook(): PriceBook {
  const entries = new LRUCache<string, Known>({ max: maxCachedModels })
  // The last provider of each model: saves building and hashing the key of `entries`.
  const latest = new Map<string, { readonly provider: string | null; readonly known: Known }>()

  function resolve(provider: string | null, model: string): Known {
    const last = latest.get(model)
    if (last !== undefined && last.provider === provider) return last.known
    const known = find(provider, model)
    if (latest.size >= maxCachedModels) latest.clear()
    latest.set(model, { provider, known })
    return known
  }

  function find(provider: string | null, model: string): Known {
    const key = `${provider ?? ''}\0${model}`
    const known = entries.get(key)
    if (known !== undefined) return known
    const entry = lookUp(provider, model) ?? { rates: null }
    entries.set(key, entry)
    return entry
  }

  return {
    priceUsage(question) {
      const { provider, model, startTimeMs } = question
      if (model === null || model.length > maxNameLength || (provider?.length ?? 0) > maxNameLength) return unpriced
      const entry = resolve(provider, model)
      return entry.rates === null ? unpriced : priceAt(ratesAt(entry.rates, startTimeMs), entry.source, question)
    },
  }
}
