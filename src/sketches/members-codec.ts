// Encodes the members of a set: hashes of six bytes each, ascending.
import { type ByteReader, damaged, readCount } from './byte-reader.ts'
import { type ByteWriter, reserve, writeVarint } from './byte-writer.ts'

const hashBytes = 6
const bits16 = 65_536

export function writeMembers(writer: ByteWriter, hashes: readonly number[]): void {
  writeVarint(writer, hashes.length)
  reserve(writer, hashes.length * hashBytes)
  const { bytes } = writer
  let { at } = writer
  for (const hash of hashes) {
    const high = Math.floor(hash / bits16)
    const low = hash - high * bits16
    bytes[at] = high >>> 24
    bytes[at + 1] = high >>> 16
    bytes[at + 2] = high >>> 8
    bytes[at + 3] = high
    bytes[at + 4] = low >>> 8
    bytes[at + 5] = low
    at += hashBytes
  }
  writer.at = at
}

export function readMembers(reader: ByteReader): Float64Array {
  const count = readCount(reader, hashBytes)
  const hashes = new Float64Array(count)
  const { bytes } = reader
  let { at } = reader
  let last = -1
  for (let place = 0; place < count; place++) {
    const high = ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0
    const hash = high * bits16 + ((bytes[at + 4]! << 8) | bytes[at + 5]!)
    if (hash <= last) throw damaged('the members of a set are not sorted')
    hashes[place] = hash
    last = hash
    at += hashBytes
  }
  reader.at = at
  return hashes
}
