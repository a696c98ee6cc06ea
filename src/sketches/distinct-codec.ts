// Encodes distinct sets: as hashes of four bytes each, or as registers of five bits each.
import { type ByteReader, damaged, readVarint } from './byte-reader.ts'
import { type ByteWriter, reserve, writeVarint } from './byte-writer.ts'
import {
  addHash,
  type Distinct,
  isEmptyDistinct,
  maxListed,
  maxRankOf,
  mergeHashes,
  type Precision,
  registersOf,
} from './distinct.ts'
import { makeRegisters, raiseRegisters, rankUp, writeRegisters } from './registers.ts'

/** Writes nothing for an empty set: each set is in a section of its own, which is empty then. */
export function writeDistinct(writer: ByteWriter, distinct: Distinct): void {
  const { registers, hashes, size, precision } = distinct
  if (isEmptyDistinct(distinct)) return
  if (distinct.loose !== null) throw new Error('cannot write an unsorted set')
  if (registers === null) {
    writeVarint(writer, size)
    reserve(writer, size * 4)
    for (let at = 0; at < size; at++) writeHash(writer, hashes[at]!)
    return
  }
  writeVarint(writer, maxListed + precision)
  writeRegisters(writer, registers)
}

/** Writes the bytes of a set of these hashes, which must be ascending and may repeat. */
export function writeSketch(writer: ByteWriter, precision: Precision, hashes: readonly number[]): void {
  let size = 0
  for (let at = 0; at < hashes.length; at++) if (at === 0 || hashes[at] !== hashes[at - 1]) size++
  if (size === 0) return
  if (size > maxListed) {
    const registers = makeRegisters(precision)
    for (const hash of hashes) rankUp(registers, precision, hash)
    writeVarint(writer, maxListed + precision)
    writeRegisters(writer, registers)
    return
  }
  writeVarint(writer, size)
  reserve(writer, size * 4)
  for (let at = 0; at < hashes.length; at++)
    if (at === 0 || hashes[at] !== hashes[at - 1]) writeHash(writer, hashes[at]!)
}

function writeHash(writer: ByteWriter, hash: number): void {
  const { bytes, at } = writer
  bytes[at] = hash
  bytes[at + 1] = hash >>> 8
  bytes[at + 2] = hash >>> 16
  bytes[at + 3] = hash >>> 24
  writer.at = at + 4
}

/** Adds a written set, which extends to the end of the reader, to a set of the same precision. */
export function readDistinct(reader: ByteReader, into: Distinct): void {
  if (reader.at === reader.end) return
  const head = readVarint(reader)
  if (head > maxListed) {
    if (head !== maxListed + into.precision) throw damaged('a set has the wrong precision')
    raiseRegisters(registersOf(into), reader, maxRankOf(into))
    return
  }
  if (reader.end - reader.at !== head * 4) throw damaged('a set has the wrong length')
  if (into.loose !== null || into.registers !== null) {
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
  const view = viewOf(reader)
  const hashes = new Uint32Array(count)
  let last = -1
  for (let no = 0; no < count; no++) {
    const hash = view.getUint32(no * 4, true)
    if (hash <= last) throw damaged('the hashes of a set are not sorted')
    hashes[no] = hash
    last = hash
  }
  reader.at = reader.end
  return hashes
}

/** Adds written hashes to a set that is not a sorted list. */
function addHashes(reader: ByteReader, into: Distinct, count: number): void {
  const view = viewOf(reader)
  let last = -1
  for (let no = 0; no < count; no++) {
    const hash = view.getUint32(no * 4, true)
    if (hash <= last) throw damaged('the hashes of a set are not sorted')
    if (into.registers !== null) rankUp(into.registers, into.precision, hash)
    else addHash(into, hash)
    last = hash
  }
  reader.at = reader.end
}

const viewOf = ({ bytes, at, end }: ByteReader): DataView => new DataView(bytes.buffer, bytes.byteOffset + at, end - at)
