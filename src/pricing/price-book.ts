// The price of a call, from the price lists that are bundled with genai-prices.
import { calcPrice, findProvider, type PriceCalculation } from '@pydantic/genai-prices'
import { LRUCache } from 'lru-cache'
import type { Usage } from '../event/event.ts'
import { costOf } from './cost.ts'
import { candidatesOf } from './model-names.ts'
import { compileRates, type RateBook, type Rates, ratesAt } from './rates.ts'
import { findAtSoleMaker } from './sole-maker.ts'

/** The release of genai-prices that is installed (a test holds it to package.json), so that a re-price can find its rows. */
export const priceListVersion = '0.1.8'

/** The source of a cost that no list of ours gave. */
export const senderSource = 'sender'

const maxCachedModels = 4_096
const maxNameLength = 256
/** Spellings of one name for which the makers' lists are gone through. */
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
   * `genai-prices:<version>:<list>/<model>`, or `workspace:<revision>:<provider or *>/<model>[@<valid from>]`; followed by
   * `;standard-rate` where the call was of a batch or a service tier whose own rate the lists do not hold. `senderSource`
   * where the sender stated the cost.
   */
  readonly source: string | null
}

export type PriceBook = {
  /**
   * Cost and cache savings of one call at the prices of its start time. All null: unpriced, since the model or a count is
   * not known; a cost of 0 only where the list says the model is free. The lists hold no rates for batches and service
   * tiers: such a call is priced at the standard rate and its source says so. About 1 µs once the model was seen.
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
  // The list of a provider that is named would have had the model.
  if (candidates.some(({ list }) => list !== null && hasList(list))) return null
  const names = candidates.filter(({ list }) => list === null).slice(0, maxMakerNames)
  for (const { name } of names) {
    const found = findAtSoleMaker(name)
    if (found !== null) return toEntry(found)
  }
  return null
}

/** The call of a question at these rates. All null where a count is not known. */
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

/** A price book with its own bounded memory of resolved models (4,096, those not found included). */
export function openPriceBook(): PriceBook {
  const entries = new LRUCache<string, Known>({ max: maxCachedModels })
  // Of each model the provider that was asked for last: a look-up without a key that has to be made and hashed.
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
