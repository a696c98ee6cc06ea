// Identifies the price that a dialog edits, by a version of the list and a row in it.
import type { Price } from './price-preview.ts'

/** The prices as one response returned them. */
export type PriceList = {
  readonly prices: readonly Price[]
  /** The version of the list. */
  readonly etag: string
}

/** A row of the list that was shown when the dialog opened. A list that loads later may have other rows at the same indexes. */
export type Place = {
  readonly list: PriceList
  /** The index of the row; the length of the list for a new row. */
  readonly at: number
}

/** What somebody else did to the row meanwhile. */
export type Fate = 'kept' | 'changed' | 'removed'

/** Returns the same row in a newer version of the list. If it has been removed, the place is that of a new row. */
export function moveTo(latest: PriceList, { list, at }: Place): { readonly place: Place; readonly fate: Fate } {
  const row = list.prices[at]
  const end = { list: latest, at: latest.prices.length }
  if (row === undefined) return { place: end, fate: 'kept' }
  const find = (textOf: (price: Price) => string): number =>
    latest.prices.findIndex((one) => textOf(one) === textOf(row))
  const same = find((price) => JSON.stringify(price))
  if (same !== -1) return { place: { list: latest, at: same }, fate: 'kept' }
  const changed = find(({ model, provider, valid_from: from }) => JSON.stringify([model, provider, from]))
  return changed === -1 ? { place: end, fate: 'removed' } : { place: { list: latest, at: changed }, fate: 'changed' }
}
