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

/** Returns the same row in a newer version of the list; null if it has been changed or removed meanwhile. */
export function moveTo(latest: PriceList, { list, at }: Place): Place | null {
  const row = list.prices[at]
  if (row === undefined) return { list: latest, at: latest.prices.length }
  const text = JSON.stringify(row)
  const now = latest.prices.findIndex((one) => JSON.stringify(one) === text)
  return now === -1 ? null : { list: latest, at: now }
}
