// Text made fit to keep: no U+0000, no lone surrogate, no longer than its limit.

import type { Flag } from '../../event/flag.ts'
import type { IngestLimits } from './limits.ts'

/** What reading one span changes on its way. */
export type Mending = {
  readonly limits: IngestLimits
  /** The flags of the span, resource or scope being read. */
  flags: Set<Flag>
  /** Nested values that the whole request may still make. */
  nestedLeft: number
}

/** Stands at the end of text that was cut, and in the place of a value that could only be left out. */
export const cutMarker = '…[truncated]'

const markerBytes = Buffer.byteLength(cutMarker)
/** A UTF-16 unit takes at most so many bytes in UTF-8; so does what a U+0000 byte is replaced by. */
export const maxBytesPerUnit = 3

/** The text with U+FFFD for each U+0000 and lone surrogate; flags `text_cleaned`. PostgreSQL refuses both. */
function cleanText(text: string, mending: Mending): string {
  if (text.isWellFormed() && !text.includes('\0')) return text
  mending.flags.add('text_cleaned')
  return text.toWellFormed().replaceAll('\0', '\uFFFD')
}

/** The text cleaned, and cut between two code points to at most `maxBytes` of UTF-8 with a visible marker (flag `truncated`). */
export function fitText(text: string, maxBytes: number, mending: Mending): string {
  const clean = cleanText(text, mending)
  if (clean.length * maxBytesPerUnit <= maxBytes || Buffer.byteLength(clean) <= maxBytes) return clean
  mending.flags.add('truncated')
  const bytes = Buffer.from(clean)
  let end = Math.max(0, maxBytes - markerBytes)
  while (end > 0 && isInsideCodePoint(bytes[end])) end--
  return bytes.toString('utf8', 0, end) + cutMarker
}

/** True for the second and later bytes of a UTF-8 sequence. */
export const isInsideCodePoint = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80

/** Takes one nested value from the request's allowance; false, with flag `truncated`, where it is used up. */
export function spendNested(mending: Mending, cost = 1): boolean {
  if (mending.nestedLeft < cost) {
    mending.flags.add('truncated')
    return false
  }
  mending.nestedLeft -= cost
  return true
}

/** An event or link weighs about as much as this many nested values. */
export const holderCost = 8
