// Cleans text for storage: no U+0000, no lone surrogate, no longer than its limit.

import { maxStepBack, stepBack } from '../../base/step-back.ts'
import type { Flag } from '../../event/flag.ts'
import type { IngestLimits } from './limits.ts'

/** The state that reading a span changes. */
export type DecodeContext = {
  readonly limits: IngestLimits
  /** The flags of the span, resource or scope being read. */
  flags: Set<Flag>
  /** How many more nested values the whole request may create. */
  nestedLeft: number
  /** How many entries of maps in the request were left out or replaced by a later entry with the same key. */
  lostEntries: number
}

/** Appended to text that was cut, and stored in place of a value that had to be left out. */
export const cutMarker = '…[truncated]'

const markerBytes = Buffer.byteLength(cutMarker)
/** The maximum bytes of a UTF-16 unit in UTF-8. U+FFFD, which replaces a U+0000 byte, takes as many. */
export const maxBytesPerUnit = 3

/** Replaces each U+0000 and lone surrogate by U+FFFD (flag `text_cleaned`): PostgreSQL refuses both. */
function cleanText(text: string, context: DecodeContext): string {
  if (text.isWellFormed() && !text.includes('\0')) return text
  context.flags.add('text_cleaned')
  return text.toWellFormed().replaceAll('\0', '\uFFFD')
}

/**
 * Cleans the text, and cuts it to at most `maxBytes` of UTF-8 including a visible marker (flag `truncated`). A cut is moved back to a blank
 * near it: content modes are applied later, and do not recognize what is left of a secret.
 */
export function fitText(text: string, maxBytes: number, context: DecodeContext): string {
  const clean = cleanText(text, context)
  if (clean.length * maxBytesPerUnit <= maxBytes || Buffer.byteLength(clean) <= maxBytes) return clean
  context.flags.add('truncated')
  const bytes = Buffer.from(clean)
  let end = Math.max(0, maxBytes - markerBytes)
  while (end > 0 && isInsideCodePoint(bytes[end])) end--
  const kept = bytes.toString('utf8', 0, end)
  return kept.slice(0, stepBack(kept, Math.min(maxStepBack, kept.length >> 1))) + cutMarker
}

/** True for the second and later bytes of a UTF-8 sequence. */
export const isInsideCodePoint = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80

/** Takes `cost` nested values from the request's limit. Returns false and sets the flag `truncated` if fewer are left. */
export function spendNested(context: DecodeContext, cost = 1): boolean {
  if (context.nestedLeft < cost) {
    context.flags.add('truncated')
    return false
  }
  context.nestedLeft -= cost
  return true
}

/** An event or link takes about as much memory as this many nested values. */
export const holderCost = 8
