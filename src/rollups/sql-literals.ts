// Values as SQL literals for the text of a query: COPY has no parameters.
import { isUuid } from '../base/ids.ts'

/** Throws if the text is no UUID. */
export function quoteUuid(text: string): string {
  if (!isUuid(text)) throw new Error('an id is not a UUID')
  return `'${text}'::uuid`
}

/** A time in whole Unix milliseconds, as a constant for the planner. Throws if the number is not whole. */
export function quoteTime(ms: number): string {
  if (!Number.isSafeInteger(ms)) throw new Error('a time is not a whole number of milliseconds')
  return `to_timestamp(${ms / 1_000})`
}

/** An array of integers. Throws if a value is none. */
export function quoteIntegers(values: readonly number[]): string {
  if (!values.every(Number.isSafeInteger)) throw new Error('a number is not an integer')
  return `'{${values.join()}}'::bigint[]`
}

/** An array of transaction ids. Throws if a value is none. */
export function quoteXids(values: readonly number[]): string {
  if (!values.every((value) => Number.isSafeInteger(value) && value >= 0)) throw new Error('not a transaction id')
  return `'{${values.join()}}'::xid[]`
}
