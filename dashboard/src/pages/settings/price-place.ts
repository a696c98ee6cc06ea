// Which price of which state of the list a dialog is about.
import type { Price } from './price-preview.ts'

/** The prices as they were read. */
export type PriceList = {
  readonly prices: readonly Price[]
  /** Names this state of the list. */
  readonly etag: string
}

/** A row of the list that was on the page when its dialog opened: a list that comes later may have other rows at these places. */
export type Place = {
  readonly list: PriceList
  /** The row; behind the last one, a new one. */
  readonly at: number
}

/** The same row in a list that was read later; null where somebody has changed or removed it meanwhile. */
export function moveTo(latest: PriceList, { list, at }: Place): Place | null {
  const row = list.prices[at]
  if (row === undefined) return { list: latest, at: latest.prices.length }
  const text = JSON.stringify(row)
  const now = latest.prices.findIndex((one) => JSON.stringify(one) === text)
  return now === -1 ? null : { list: latest, at: now }
}
