// Fingerprints of 53 bits: one fits into a Float64Array, and two are compared as numbers.
import { unstorable } from '../../event/event.ts'

/** The call succeeded, but its result cannot be compared: its span carries no content hash. */
export const unknownContent = -1
/** The call failed, or gave a result that cannot be stored, which therefore differs from every stored one. */
export const failedContent = -2

/** Returns an integer from 0 to below 2^53 (cyrb53: two multiplicative hashes with different constants). */
export function fingerprintOf(text: string): number {
  let a = 0xdeadbeef
  let b = 0x41c6ce57
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    a = Math.imul(a ^ unit, 2_654_435_761)
    b = Math.imul(b ^ unit, 1_597_334_677)
  }
  a = Math.imul(a ^ (a >>> 16), 2_246_822_507) ^ Math.imul(b ^ (b >>> 13), 3_266_489_909)
  b = Math.imul(b ^ (b >>> 16), 2_246_822_507) ^ Math.imul(a ^ (a >>> 13), 3_266_489_909)
  return 4_294_967_296 * (b & 0x1f_ff_ff) + (a >>> 0)
}

/** Returns the fingerprint of a result, or one of the two codes above. */
export const contentOf = (execution: { readonly contentHash: string | null; readonly isError: boolean }): number => {
  if (execution.isError || execution.contentHash === unstorable) return failedContent
  return execution.contentHash === null ? unknownContent : fingerprintOf(execution.contentHash)
}

/** Returns a number in [0, 1), the same for the same span. If it is below the holdout rate, serving would have held this call out. */
export const holdoutDraw = (spanId: string): number => fingerprintOf(spanId) / 2 ** 53
