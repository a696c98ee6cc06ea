// The protobuf wire format: tags, varints and lengths, each checked against the end of its message.
import { Malformed } from '../intake/malformed.ts'
import { type ByteSource, openSource } from './plain-text.ts'
import type { Slicer } from './slicer.ts'
import type { TextCache } from './text-cache.ts'

/** A position in the request. `end` is the end of the message being read. */
export type Cursor = Readonly<ByteSource> & {
  readonly cache: TextCache | null
  readonly slicer: Slicer | null
  pos: number
  end: number
}

const maxGroupDepth = 100
const maxVarintBytes = 10

const cutShort = () => new Malformed('A field is longer than the message that contains it.')

/** Opens a cursor over `bytes` without copying them. The caller has to aim `slicer` at the same bytes. */
export function openCursor(bytes: Uint8Array, slicer: Slicer | null = null): Cursor {
  return {
    ...openSource(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)),
    cache: slicer?.attributes.cache ?? null,
    slicer,
    pos: 0,
    end: bytes.byteLength,
  }
}

/** Reads field number and wire type as one number: `field << 3 | type`. */
export function readTag(cursor: Cursor): number {
  if (cursor.pos >= cursor.end) throw cutShort()
  const first = cursor.bytes[cursor.pos] as number
  if (first < 0x80) {
    cursor.pos++
    if (first < 8) throw new Malformed('A field has the number 0.')
    return first
  }
  const tag = readShortVarint(cursor)
  if (tag < 8) throw new Malformed('A field has the number 0.')
  return tag
}

/** Reads the length of a field. Throws Malformed if the field does not fit into its message. */
export function readLength(cursor: Cursor): number {
  if (cursor.pos >= cursor.end) throw cutShort()
  const first = cursor.bytes[cursor.pos] as number
  let length = first
  if (first < 0x80) cursor.pos++
  else length = readShortVarint(cursor)
  if (length > cursor.end - cursor.pos) throw cutShort()
  return length
}

/** Reads an unsigned varint of at most 32 bits in at most 5 bytes, as required for tags and lengths. */
function readShortVarint(cursor: Cursor): number {
  let value = 0
  let scale = 1
  for (let count = 0; count < 5; count++) {
    if (cursor.pos >= cursor.end) throw cutShort()
    const byte = cursor.bytes[cursor.pos++] as number
    value += (byte & 0x7f) * scale
    if (byte < 0x80) {
      if (value > 0xffffffff) break
      return value
    }
    scale *= 128
  }
  throw new Malformed('A tag or length is longer than 32 bits.')
}

/** Reads the low 32 bits of a varint as a signed number: the way to read enums and int32. */
export function readInt32(cursor: Cursor): number {
  let value = 0
  for (let count = 0; count < maxVarintBytes; count++) {
    if (cursor.pos >= cursor.end) throw cutShort()
    const byte = cursor.bytes[cursor.pos++] as number
    if (count < 5) value |= (byte & 0x7f) << (count * 7)
    if (byte < 0x80) return value
  }
  throw new Malformed('A varint is longer than 10 bytes.')
}

/** Reads an int64: a number if it is a safe integer, else a bigint. */
export function readInt64(cursor: Cursor): number | bigint {
  let low = 0
  let middle = 0
  let high = 0
  for (let count = 0; count < maxVarintBytes; count++) {
    if (cursor.pos >= cursor.end) throw cutShort()
    const byte = cursor.bytes[cursor.pos++] as number
    if (count < 4) low |= (byte & 0x7f) << (count * 7)
    else if (count < 8) middle |= (byte & 0x7f) << ((count - 4) * 7)
    else high |= (byte & 0x7f) << ((count - 8) * 7)
    if (byte < 0x80) {
      if (high === 0 && middle < 0x2000000) return middle * 0x10000000 + low
      const exact = BigInt.asIntN(64, (BigInt(high) << 56n) | (BigInt(middle) << 28n) | BigInt(low))
      const near = Number(exact)
      return Number.isSafeInteger(near) ? near : exact
    }
  }
  throw new Malformed('A varint is longer than 10 bytes.')
}

export function readBool(cursor: Cursor): boolean {
  return readInt64(cursor) !== 0
}

export function readFixed64(cursor: Cursor): bigint {
  if (cursor.end - cursor.pos < 8) throw cutShort()
  const value = cursor.view.getBigUint64(cursor.pos, true)
  cursor.pos += 8
  return value
}

export function readDouble(cursor: Cursor): number {
  if (cursor.end - cursor.pos < 8) throw cutShort()
  const value = cursor.view.getFloat64(cursor.pos, true)
  cursor.pos += 8
  return value
}

/** Skips the field whose tag was just read, for example an unknown field of a newer protocol. */
export function skipField(cursor: Cursor, tag: number): void {
  const type = tag & 7
  if (type === 0) readInt32(cursor)
  else if (type === 1) skipBytes(cursor, 8)
  else if (type === 2) skipBytes(cursor, readLength(cursor))
  else if (type === 3) skipGroup(cursor, tag >>> 3)
  else if (type === 5) skipBytes(cursor, 4)
  else if (type === 4) throw new Malformed('A group end does not match a group start.')
  else throw new Malformed('A field has an invalid wire type.')
}

function skipBytes(cursor: Cursor, count: number): void {
  if (cursor.end - cursor.pos < count) throw cutShort()
  cursor.pos += count
}

function skipGroup(cursor: Cursor, field: number): void {
  const open = [field]
  while (open.length > 0) {
    const tag = readTag(cursor)
    const type = tag & 7
    if (type === 3) {
      if (open.length >= maxGroupDepth) throw new Malformed('Groups are nested too deeply.')
      open.push(tag >>> 3)
    } else if (type === 4) {
      if (open.pop() !== tag >>> 3) throw new Malformed('A group end does not match a group start.')
    } else skipField(cursor, tag)
  }
}
