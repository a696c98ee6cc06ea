// Conversions between a price and the fields of its form.
import type { ApiFault } from '../../api/fault.ts'
import type { Price } from './price-preview.ts'

export type Draft = Readonly<Record<'model' | 'provider' | 'input' | 'output' | 'cached' | 'write' | 'from', string>>

export const emptyDraft: Draft = { model: '', provider: '', input: '', output: '', cached: '', write: '', from: '' }

const show = (amount: number | null): string => (amount === null ? '' : String(amount))

export const toDraft = (price: Price): Draft => ({
  model: price.model,
  provider: price.provider ?? '',
  input: show(price.input_usd_per_m),
  output: show(price.output_usd_per_m),
  cached: show(price.cached_usd_per_m),
  write: show(price.cache_write_usd_per_m),
  // The field has a precision of seconds.
  from: price.valid_from?.slice(0, 19) ?? '',
})

/** Returns NaN if the text is not a number. The service then reports the error for the field. */
const read = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text.trim()))
const readOptional = (text: string): number | null => (text.trim() === '' ? null : read(text))

export const toPrice = (draft: Draft): Price => ({
  model: draft.model.trim(),
  provider: draft.provider.trim() === '' ? null : draft.provider.trim(),
  input_usd_per_m: read(draft.input),
  output_usd_per_m: read(draft.output),
  cached_usd_per_m: readOptional(draft.cached),
  cache_write_usd_per_m: readOptional(draft.write),
  // The input field of the browser omits the seconds if they are 0.
  valid_from: draft.from === '' ? null : `${draft.from.padEnd(19, ':00')}Z`,
})

/** Returns whether the price has all fields that a preview of its cost needs. */
export const isComplete = (price: Price): boolean =>
  price.model !== '' && [price.input_usd_per_m, price.output_usd_per_m].every(Number.isFinite)

/**
 * Returns a function that finds the message for a field of one row of the sent list. A message about the whole row
 * belongs to the field of the model.
 */
export const faultOfRow =
  (at: number) =>
  (fault: ApiFault | null, field: string): string | null =>
    fault?.fields.find(({ loc }) => loc[0] === 'body' && loc[1] === at && (loc[2] ?? 'model') === field)?.msg ?? null
