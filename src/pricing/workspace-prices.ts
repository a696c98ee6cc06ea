// The prices that a workspace sets itself, and the choice of the row that prices a call.
import { compileGlob, type Glob } from './glob.ts'
import { type PriceBook, priceAt } from './price-book.ts'
import { canonicalProvider, splitProviderAndModel } from './provider.ts'
import type { Rate, Rates } from './rates.ts'

/** The source of a cost at workspace prices consists of this word, the revision of the list, and the row. */
export const workspaceSource = 'workspace'

export const maxPriceNameLength = 256

/** One row, with the field names of the API, in which it is also stored. Prices are USD per million tokens. */
export type WorkspacePrice = {
  /** A name, or a pattern with `*`. The provider may stand before the name, as in `anthropic/claude-*`. */
  readonly model: string
  /** Null: the row applies to any provider, and to calls without one. */
  readonly provider: string | null
  readonly input_usd_per_m: number
  readonly output_usd_per_m: number
  /** Null: the price of input. */
  readonly cached_usd_per_m: number | null
  /** Null: the price of input. */
  readonly cache_write_usd_per_m: number | null
  /** RFC 3339: the row applies to calls that start then or later. Null: to all calls. */
  readonly valid_from: string | null
}

export type WorkspacePriceList = {
  /** Differs after every change. */
  readonly revision: string
  readonly prices: readonly WorkspacePrice[]
}

type Row = { readonly fromMs: number; readonly rates: Rates; readonly source: string }

/** The rows of one pattern and provider: a price history, latest first. */
type Group = {
  readonly provider: string | null
  readonly matches: Glob
  /** Of a pattern like `anthropic/claude-*`: events name the model without its provider. */
  readonly afterProvider: { readonly provider: string; readonly matches: Glob } | null
  readonly isGlob: boolean
  /** Characters other than stars. */
  readonly literals: number
  readonly history: Row[]
}

/** For how many models the groups of a list are cached. */
const maxKnownModels = 64

const toGlob = (model: string): string => model.trim().toLowerCase().replaceAll(/\*+/g, '*')

/** Equal for two rows that match the same calls, apart from their start times. */
const groupKey = ({ model, provider }: WorkspacePrice): string =>
  `${provider === null ? '' : canonicalProvider(provider)}\0${toGlob(model)}`

/** Equal for two rows that would apply to the same calls. */
export const identityOfPrice = (price: WorkspacePrice): string => `${groupKey(price)}\0${price.valid_from ?? ''}`

/**
 * Returns a book that prices by the rows of a workspace, and by `table` where no row applies. A row that names the call's provider goes
 * before one that names none, then a name before a pattern, then a pattern with more characters other than `*` before one with fewer, then
 * the earlier row of the list. Of rows that differ only in `valid_from`, the latest that is not after the start of the call applies.
 */
export function openWorkspaceBook(table: PriceBook, list: WorkspacePriceList): PriceBook {
  const groups = listGroups(list)
  const known = new Map<string, readonly Group[]>()

  function findGroups(provider: string | null, model: string): readonly Group[] {
    const key = `${provider ?? ''}\0${model}`
    const remembered = known.get(key)
    if (remembered !== undefined) return remembered
    const found = matchGroups(groups, provider, model)
    if (known.size >= maxKnownModels) known.clear()
    known.set(key, found)
    return found
  }

  return {
    priceUsage(question) {
      const { provider, model, startTimeMs } = question
      if (model === null || model.length > maxPriceNameLength || (provider?.length ?? 0) > maxPriceNameLength)
        return table.priceUsage(question)
      for (const { history } of findGroups(provider, model))
        for (const { fromMs, rates, source } of history)
          if (fromMs <= startTimeMs) return priceAt(rates, source, question)
      return table.priceUsage(question)
    },
  }
}

/** Returns the groups, best first. */
function listGroups({ revision, prices }: WorkspacePriceList): Group[] {
  const groups = new Map<string, Group>()
  for (const price of prices) {
    const key = groupKey(price)
    const group = groups.get(key) ?? openGroup(price)
    groups.set(key, group)
    group.history.push(toRow(revision, price))
  }
  for (const { history } of groups.values()) history.sort((a, b) => b.fromMs - a.fromMs)
  return [...groups.values()].sort(
    (a, b) =>
      Number(a.provider === null) - Number(b.provider === null) ||
      Number(a.isGlob) - Number(b.isGlob) ||
      b.literals - a.literals,
  )
}

function openGroup({ model, provider }: WorkspacePrice): Group {
  const pattern = toGlob(model)
  const stars = pattern.split('*').length - 1
  return {
    provider: provider === null ? null : canonicalProvider(provider),
    matches: compileGlob(pattern),
    afterProvider: readAfterProvider(pattern),
    isGlob: stars > 0,
    literals: pattern.length - stars,
    history: [],
  }
}

function readAfterProvider(pattern: string): Group['afterProvider'] {
  const parts = splitProviderAndModel(pattern)
  const provider = parts === null ? null : canonicalProvider(parts[0])
  return parts === null || provider === null ? null : { provider, matches: compileGlob(parts[1]) }
}

const isModelOf = ({ matches, afterProvider }: Group, provider: string | null, name: string): boolean =>
  matches(name) || (afterProvider?.provider === provider && afterProvider.matches(name))

/** Returns the groups that match, best first. It stops at a group that applies to every start time: later ones are never used. */
function matchGroups(groups: readonly Group[], provider: string | null, model: string): Group[] {
  const name = model.trim().toLowerCase()
  const canonical = provider === null ? null : canonicalProvider(provider)
  const found: Group[] = []
  for (const group of groups) {
    if ((group.provider !== null && group.provider !== canonical) || !isModelOf(group, canonical, name)) continue
    found.push(group)
    if (group.history.at(-1)?.fromMs === Number.NEGATIVE_INFINITY) break
  }
  return found
}

const toRate = (usdPerM: number): Rate => ({ base: usdPerM, tiers: [] })
const toRateOrNone = (usdPerM: number | null): Rate | null => (usdPerM === null ? null : toRate(usdPerM))

function toRow(revision: string, price: WorkspacePrice): Row {
  const { model, provider, valid_from: validFrom } = price
  return {
    fromMs: validFrom === null ? Number.NEGATIVE_INFINITY : Date.parse(validFrom),
    rates: {
      input: toRate(price.input_usd_per_m),
      output: toRate(price.output_usd_per_m),
      cacheRead: toRateOrNone(price.cached_usd_per_m),
      cacheWrite: toRateOrNone(price.cache_write_usd_per_m),
      cacheWrite1h: null,
      reasoning: null,
      callUsd: 0,
    },
    source: `${workspaceSource}:${revision}:${provider ?? '*'}/${model}${validFrom === null ? '' : `@${validFrom}`}`,
  }
}
