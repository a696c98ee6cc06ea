// Takes the attributes of a span as they stand, without decoding their texts, where nothing about them has to be mended.
import { valueLimit } from '../intake/attribute-bag.ts'
import type { Mending } from '../intake/clean.ts'
import { keyTag, stringTag, valueTag } from './any-value-tags.ts'
import { AttributeSlices } from './attribute-slices.ts'
import { isExactValue } from './exact-value.ts'
import { type KeyBook, keyIdOf, maxKeyBytes, openKeyBook, shapeOf, thinOut } from './key-book.ts'
import { isPlainText, openSource, type Source, viewOf } from './plain-text.ts'
import { openTextCache, type TextCache } from './text-cache.ts'
import { readValue } from './value-protobuf.ts'
import { type Cursor, readLength } from './wire.ts'

export type Slicer = {
  /** The request that is being read. */
  readonly source: Source
  readonly keys: KeyBook
  readonly ids: TextCache
  /** Of the span that is being read, and then of the one that was. */
  readonly attributes: AttributeSlices
  /** Of those attributes; `attributes.size` of them. */
  readonly keyIds: number[]
}

/** For one request after the other: what it has learnt of keys and common values serves all of them. */
export function openSlicer(): Slicer {
  const source = openSource(Buffer.alloc(0))
  return {
    source,
    keys: openKeyBook(source),
    ids: openTextCache(source),
    attributes: new AttributeSlices(openTextCache(source)),
    keyIds: [],
  }
}

/** To be called before a request, with its bytes, and after it without. */
export function aimSlicer({ source, keys, attributes }: Slicer, bytes: Buffer): void {
  thinOut(keys)
  source.bytes = bytes
  source.view = viewOf(bytes)
  attributes.size = 0
  // They may be large.
  attributes.values.fill(undefined)
}

/** Forgets the attributes of the span before. */
export function clearSlices({ attributes }: Slicer): void {
  attributes.size = 0
}

/**
 * Takes the KeyValue field whose tag was just read. False, with the cursor anywhere, where it is not written in
 * the one way that encoders write it, or something about it has to be mended: the span is then read again by `readAttribute`.
 */
export function sliceAttribute(slicer: Slicer, cursor: Cursor, mending: Mending): boolean {
  const end = readLength(cursor) + cursor.pos
  const { bytes } = cursor
  const { limits } = mending
  let pos = cursor.pos
  // Keys of 128 bytes and more are rare enough to take the long way.
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
    ? sliceText(slicer, cursor, end, keyId, mending)
    : takeValue(slicer, cursor, end, keyId, mending)
}

function sliceText(slicer: Slicer, cursor: Cursor, end: number, keyId: number, mending: Mending): boolean {
  cursor.pos++
  if (readLengthTo(cursor, end) !== end) return false
  const start = cursor.pos
  const length = end - start
  const { limits } = mending
  if (length > limits.valueBytes && length > valueLimit(slicer.keys.texts[keyId] as string, limits)) return false
  if (!isPlainText(cursor, start, end)) return false
  slicer.attributes.add(undefined, start, end)
  cursor.pos = end
  return true
}

function takeValue(slicer: Slicer, cursor: Cursor, end: number, keyId: number, mending: Mending): boolean {
  // What reading would pass over is not to be stored, since nobody would have looked at it.
  if (!isExactValue(cursor.bytes, cursor.pos, end)) return false
  const outerEnd = cursor.end
  cursor.end = end
  slicer.attributes.add(readValue(cursor, slicer.keys.texts[keyId] as string, 1, mending), 0, 0)
  cursor.pos = end
  cursor.end = outerEnd
  return true
}

/** Reads a length and gives where what it measures ends; −1 where that is beyond `end` or the length is longer than 4 bytes. */
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

/** The attributes taken; null where a key was told twice or the request has too many shapes. */
export function finishSlices({ keys, keyIds, attributes }: Slicer): AttributeSlices | null {
  const shape = shapeOf(keys, keyIds, attributes.size)
  if (shape === null || shape.places.size < attributes.size) return null
  attributes.shape = shape
  return attributes
}
