// Reads the attributes of a span as slices, without decoding their texts, if none of them has to be corrected.
import { valueLimit } from '../intake/attribute-bag.ts'
import type { DecodeContext } from '../intake/clean.ts'
import { keyTag, stringTag, valueTag } from './any-value-tags.ts'
import type { AttributeSlices } from './attribute-slices.ts'
import { isExactValue } from './exact-value.ts'
import { keyIdOf, maxKeyBytes, shapeOf } from './key-book.ts'
import { isPlainText } from './plain-text.ts'
import type { Slicer } from './slicer.ts'
import { readValue } from './value-protobuf.ts'
import { type Cursor, readLength } from './wire.ts'

/**
 * Adds the KeyValue field whose tag was just read. Returns false if it is not encoded in the usual way or has to be corrected. The cursor is
 * then at an undefined position, and the span has to be read again with `readAttribute`.
 */
export function sliceAttribute(slicer: Slicer, cursor: Cursor, context: DecodeContext): boolean {
  const end = readLength(cursor) + cursor.pos
  const { bytes } = cursor
  const { limits } = context
  let pos = cursor.pos
  // Keys of 128 bytes and more are rare, and are left to `readAttribute`.
  const keyLength = bytes[pos + 1] as number
  if (bytes[pos] !== keyTag || keyLength === 0 || keyLength > maxKeyBytes || keyLength > limits.keyBytes) return false
  const keyStart = pos + 2
  pos = keyStart + keyLength
  if (pos + 2 > end || slicer.attributes.size >= limits.attributes) return false
  if (bytes[pos] !== valueTag) return false
  const keyId = keyIdOf(
    slicer.keys,
    keyStart,
    keyLength,
    slicer.attributes.size === 0 ? -1 : (slicer.keyIds[slicer.attributes.size - 1] as number),
  )
  if (keyId === -1) return false
  cursor.pos = pos + 1
  if (readLengthTo(cursor, end) !== end) return false
  slicer.keyIds[slicer.attributes.size] = keyId
  return bytes[cursor.pos] === stringTag && cursor.pos < end
    ? sliceText(slicer, cursor, end, keyId, context)
    : takeValue(slicer, cursor, end, keyId, context)
}

function sliceText(slicer: Slicer, cursor: Cursor, end: number, keyId: number, context: DecodeContext): boolean {
  cursor.pos++
  if (readLengthTo(cursor, end) !== end) return false
  const start = cursor.pos
  const length = end - start
  const { limits } = context
  if (length > limits.valueBytes && length > valueLimit(slicer.keys.texts[keyId] as string, limits)) return false
  if (!isPlainText(cursor, start, end)) return false
  slicer.attributes.add(undefined, start, end)
  cursor.pos = end
  return true
}

function takeValue(slicer: Slicer, cursor: Cursor, end: number, keyId: number, context: DecodeContext): boolean {
  // Bytes that reading skips or replaces must not be stored, since redaction would not have seen them.
  if (!isExactValue(cursor.bytes, cursor.pos, end)) return false
  const { lostEntries } = context
  const outerEnd = cursor.end
  cursor.end = end
  slicer.attributes.add(readValue(cursor, slicer.keys.texts[keyId] as string, 1, context), 0, 0)
  cursor.pos = end
  cursor.end = outerEnd
  return context.lostEntries === lostEntries
}

/** Reads a length and returns the end of the field; −1 if that is beyond `end` or the length takes more than 4 bytes. */
function readLengthTo(cursor: Cursor, end: number): number {
  const { bytes } = cursor
  let value = 0
  for (let shift = 0; shift < 28 && cursor.pos < end; shift += 7) {
    const byte = bytes[cursor.pos++] as number
    value |= (byte & 0x7f) << shift
    if (byte < 0x80) return cursor.pos + value > end ? -1 : cursor.pos + value
  }
  return -1
}

/** Returns the attributes; null if a key occurs twice or the request has too many shapes. */
export function finishSlices({ keys, keyIds, attributes }: Slicer): AttributeSlices | null {
  const shape = shapeOf(keys, keyIds, attributes.size)
  if (shape === null || shape.places.size < attributes.size) return null
  attributes.shape = shape
  return attributes
}
