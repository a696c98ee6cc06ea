// A price as it stands in the fields of its form.
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
  // To the second, as the field has it.
  from: price.valid_from?.slice(0, 19) ?? '',
})

/** NaN where the text is no number: the service says so at its field. */
const read = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text.trim()))
const readOptional = (text: string): number | null => (text.trim() === '' ? null : read(text))

export const toPrice = (draft: Draft): Price => ({
  model: draft.model.trim(),
  provider: draft.provider.trim() === '' ? null : draft.provider.trim(),
  input_usd_per_m: read(draft.input),
  output_usd_per_m: read(draft.output),
  cached_usd_per_m: readOptional(draft.cached),
  cache_write_usd_per_m: readOptional(draft.write),
  // A field of the browser leaves seconds out where they are 0.
  valid_from: draft.from === '' ? null : `${draft.from.padEnd(19, ':00')}Z`,
})

/** Whether what it would cost can be told. */
export const isComplete = (price: Price): boolean =>
  price.model !== '' && [price.input_usd_per_m, price.output_usd_per_m].every(Number.isFinite)

/** Of one row of the list that was sent. What is wrong with the row as a whole stands at its model. */
export const faultOfRow =
  (at: number) =>
  (fault: ApiFault | null, field: string): string | null =>
    fault?.fields.find(({ loc }) => loc[0] === 'body' && loc[1] === at && (loc[2] ?? 'model') === field)?.msg ?? null
