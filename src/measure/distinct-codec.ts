// Floor 1. Distinct sets as bytes: hashes of four bytes each, or registers of five bits each.
import { type ByteReader, damaged, readVarint } from './byte-reader.ts'
import { type ByteWriter, reserve, writeVarint } from './byte-writer.ts'
import { addHash, type Distinct, isEmptyDistinct, maxListed, mergeHashes, registersOf } from './distinct.ts'

/** An empty set is no bytes at all: it stands in a section of its own. */
export function writeDistinct(writer: ByteWriter, distinct: Distinct): void {
  const { registers, hashes, size, precision } = distinct
  if (isEmptyDistinct(distinct)) return
  if (distinct.loose !== null) throw new Error('a set without order is not written')
  if (registers === null) {
    writeVarint(writer, size)
    reserve(writer, size * 4)
    for (let at = 0; at < size; at++) writeHash(writer, hashes[at]!)
    return
  }
  writeVarint(writer, maxListed + precision)
  reserve(writer, (registers.length / 8) * 5)
  pack(registers, writer)
}

function writeHash(writer: ByteWriter, hash: number): void {
  const { bytes, at } = writer
  bytes[at] = hash
  bytes[at + 1] = hash >>> 8
  bytes[at + 2] = hash >>> 16
  bytes[at + 3] = hash >>> 24
  writer.at = at + 4
}

/** Adds a written set, which reaches to the end of the reader, to another of the same precision. */
export function readDistinct(reader: ByteReader, into: Distinct): void {
  if (reader.at === reader.end) return
  const head = readVarint(reader)
  if (head > maxListed) {
    if (head !== maxListed + into.precision) throw damaged('a set of another precision')
    raise(reader, into)
    return
  }
  if (reader.end - reader.at !== head * 4) throw damaged('a set of another length')
  if (into.loose !== null) {
    addHashes(reader, into, head)
    return
  }
  const hashes = readHashes(reader, head)
  if (into.registers === null && into.size === 0) {
    into.hashes = hashes
    into.size = head
  } else mergeHashes(into, hashes, head)
}

function readHashes(reader: ByteReader, count: number): Uint32Array<ArrayBuffer> {
  const { bytes } = reader
  const hashes = new Uint32Array(count)
  let { at } = reader
  let last = -1
  for (let no = 0; no < count; no++, at += 4) {
    const hash = (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0
    if (hash <= last) throw damaged('a hash out of order')
    hashes[no] = hash
    last = hash
  }
  reader.at = at
  return hashes
}

/** To a set without order, for which they need not be kept. */
function addHashes(reader: ByteReader, into: Distinct, count: number): void {
  const { bytes } = reader
  let { at } = reader
  let last = -1
  for (let no = 0; no < count; no++, at += 4) {
    const hash = (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0
    if (hash <= last) throw damaged('a hash out of order')
    addHash(into, hash)
    last = hash
  }
  reader.at = at
}

/** Eight registers in five bytes: no rank is above 21. */
function pack(registers: Uint8Array, writer: ByteWriter): void {
  const { bytes } = writer
  let to = writer.at
  for (let at = 0; at < registers.length; at += 8) {
    const d = registers[at + 3]!
    const e = registers[at + 4]!
    const g = registers[at + 6]!
    bytes[to] = registers[at]! | (registers[at + 1]! << 5)
    bytes[to + 1] = (registers[at + 1]! >> 3) | (registers[at + 2]! << 2) | (d << 7)
    bytes[to + 2] = (d >> 1) | (e << 4)
    bytes[to + 3] = (e >> 4) | (registers[at + 5]! << 1) | (g << 6)
    bytes[to + 4] = (g >> 2) | (registers[at + 7]! << 3)
    to += 5
  }
  writer.at = to
}

/** Raises the registers of a set to those that follow. */
function raise(reader: ByteReader, into: Distinct): void {
  const own = registersOf(into)
  const { bytes, end } = reader
  if (end - reader.at !== (own.length / 8) * 5) throw damaged('a set of another length')
  let from = reader.at
  for (let at = 0; from < end; at += 8, from += 5) {
    const a = bytes[from]!
    const b = bytes[from + 1]!
    const c = bytes[from + 2]!
    const d = bytes[from + 3]!
    const e = bytes[from + 4]!
    own[at] = Math.max(own[at]!, a & 31)
    own[at + 1] = Math.max(own[at + 1]!, ((a >> 5) | (b << 3)) & 31)
    own[at + 2] = Math.max(own[at + 2]!, (b >> 2) & 31)
    own[at + 3] = Math.max(own[at + 3]!, ((b >> 7) | (c << 1)) & 31)
    own[at + 4] = Math.max(own[at + 4]!, ((c >> 4) | (d << 4)) & 31)
    own[at + 5] = Math.max(own[at + 5]!, (d >> 1) & 31)
    own[at + 6] = Math.max(own[at + 6]!, ((d >> 6) | (e << 2)) & 31)
    own[at + 7] = Math.max(own[at + 7]!, e >> 3)
  }
  reader.at = end
  let highest = 0
  for (let at = 0; at < own.length; at++) highest = Math.max(highest, own[at]!)
  if (highest > 33 - into.precision) throw damaged('a rank that no hash has')
}
