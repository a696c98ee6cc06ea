// Reads what byte-writer wrote, and validates all of it.
import { firstWide } from './byte-writer.ts'

export type ByteReader = { readonly bytes: Buffer; at: number; end: number }

/** Returns the error for stored rollups that this code cannot have written. It means a bug or a broken disk; it is no expected error. */
export const damaged = (what: string): Error => new Error(`a stored rollup is corrupt: ${what}`)

/** Stored rollups are in the format of a later release. They are valid and must be left unchanged. */
export class NewerFormat extends Error {
  override readonly name = 'NewerFormat'

  constructor(what: string) {
    super(`a stored rollup was written by a newer release: ${what}`)
  }
}

/** Returns a reader over the bytes. It does not copy them. */
export const openReader = (bytes: Uint8Array): ByteReader => ({
  bytes: Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
  at: 0,
  end: bytes.byteLength,
})

export function readByte(reader: ByteReader): number {
  if (reader.at >= reader.end) throw damaged('the data ends too early')
  return reader.bytes[reader.at++]!
}

// A version further ahead is more likely damaged data than the version of a later release.
const versionsAhead = 16

/** Reads the version at the start of a format. Throws NewerFormat if it is later than `newest`, the latest that this release supports. */
export function readVersion(reader: ByteReader, newest: number): number {
  const found = readByte(reader)
  if (found === 0 || found > newest + versionsAhead) throw damaged('unknown version')
  if (found > newest) throw new NewerFormat(`version ${found}, of which this release knows ${newest}`)
  return found
}

/** Reads an integer from 0 to 2^53 - 1. */
export function readVarint(reader: ByteReader): number {
  // Fast path: most integers have one byte.
  if (reader.at < reader.end && reader.bytes[reader.at]! < 0x80) return reader.bytes[reader.at++]!
  return readLongVarint(reader)
}

function readLongVarint(reader: ByteReader): number {
  const { bytes, end } = reader
  let value = 0
  let scale = 1
  for (let count = 0; count < 8; count++) {
    if (reader.at >= end) throw damaged('the data ends too early')
    const byte = bytes[reader.at++]!
    if (byte < 0x80) {
      if (byte === 0 && count > 0) throw damaged('a number is encoded in more bytes than necessary')
      value += byte * scale
      if (value > Number.MAX_SAFE_INTEGER) throw damaged('a number is too large')
      return value
    }
    value += (byte - 0x80) * scale
    scale *= 128
  }
  throw damaged('a number is too long')
}

/** Reads any finite integer that `writeSigned` wrote. */
export function readSigned(reader: ByteReader): number {
  const value = readVarint(reader)
  // Halving with a shift is much faster; it works up to 31 bits.
  if (value > 0 && value <= 0x7fffffff) return (value & 1) === 1 ? value >>> 1 : -(value >>> 1)
  if (value > 0) return value % 2 === 1 ? (value - 1) / 2 : -value / 2
  if (reader.end - reader.at < 8) throw damaged('the data ends too early')
  const wide = reader.bytes.readDoubleLE(reader.at)
  reader.at += 8
  if (!Number.isFinite(wide) || Math.abs(wide) < firstWide) throw damaged('a wide number is out of range')
  return wide
}

/** Reads a length, or a count of items of at least `leastBytes` each. Throws where they exceed the remaining data. */
export function readCount(reader: ByteReader, leastBytes = 1): number {
  const count = readVarint(reader)
  if (count * leastBytes > reader.end - reader.at) throw damaged('a length exceeds the remaining data')
  return count
}

export function readText(reader: ByteReader): string {
  const length = readCount(reader)
  const text = reader.bytes.toString('utf8', reader.at, reader.at + length)
  reader.at += length
  return text
}

/** Calls `read` on the next section, which it must read to the end. */
export function readSection(reader: ByteReader, read: (from: ByteReader) => void): void {
  const length = readCount(reader)
  const outerEnd = reader.end
  reader.end = reader.at + length
  read(reader)
  expectEnd(reader)
  reader.end = outerEnd
}

/** Skips the next section. */
export function skipSection(reader: ByteReader): void {
  const length = readCount(reader)
  reader.at += length
}

export function expectEnd(reader: ByteReader): void {
  if (reader.at !== reader.end) throw damaged('unexpected data follows the end')
}
