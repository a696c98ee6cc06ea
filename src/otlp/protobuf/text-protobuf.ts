// Reads strings from protobuf bytes: invalid UTF-8 is refused, valid text is cleaned and cut.
import { isUtf8 } from 'node:buffer'
import { type DecodeContext, fitText, isInsideCodePoint } from '../intake/clean.ts'
import { Malformed } from '../intake/malformed.ts'
import { cachedText, cacheText, hashOf, maxCachedBytes } from './text-cache.ts'
import { type Cursor, readLength } from './wire.ts'

/** Reads the string field whose tag was just read, cut to `maxBytes`. Throws Malformed for invalid UTF-8. About 0.1 µs for a short one. */
export const readString = (cursor: Cursor, maxBytes: number, context: DecodeContext): string =>
  readTextOf(cursor, readLength(cursor), maxBytes, context)

/** Reads the next `length` bytes as `readText` does. */
export function readTextOf(cursor: Cursor, length: number, maxBytes: number, context: DecodeContext): string {
  if (length === 0) return ''
  const start = cursor.pos
  const end = start + length
  cursor.pos = end
  if (length <= maxBytes) {
    const cache = length <= maxCachedBytes && cursor.cache !== null ? cursor.cache : null
    const hash = cache === null ? 0 : hashOf(cache, start, length)
    const known = cache === null ? null : cachedText(cache, hash, start, length)
    if (known !== null) return known
    const text = cursor.bytes.toString('utf8', start, end)
    // Decoding replaces invalid UTF-8 by U+FFFD, so only text that contains U+FFFD needs the strict check.
    if (text.includes('\uFFFD')) requireUtf8(cursor.bytes, start, end)
    if (text.includes('\0')) return fitText(text, maxBytes, context)
    if (cache !== null) cacheText(cache, hash, start, length, text)
    return text
  }
  requireUtf8(cursor.bytes, start, end)
  // Keeps at least one byte more than fits, so that fitText cuts the text and marks the cut.
  let cut = start + maxBytes + 1
  while (cut < end && isInsideCodePoint(cursor.bytes[cut])) cut++
  return fitText(cursor.bytes.toString('utf8', start, cut), maxBytes, context)
}

/** Throws Malformed unless the bytes are valid UTF-8 (no overlong forms, no surrogates). */
export function requireUtf8(bytes: Buffer, start: number, end: number): void {
  if (!isUtf8(bytes.subarray(start, end))) throw new Malformed('A string is not valid UTF-8.')
}
