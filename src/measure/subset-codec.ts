// Floor 1. Some of the members of a set as bytes: how far each stands behind the one before, or a bit for every member where that is
// shorter.
import { type ByteReader, damaged, readVarint } from './byte-reader.ts'
import { type ByteWriter, writeBytes, writeVarint } from './byte-writer.ts'
import { countNumbers, type NumberSet } from './number-set.ts'

/** `places`: by the number of a member, where it stands. `bits`: room for a bit for every member, filled again. */
export function writeSubset(writer: ByteWriter, bits: Uint8Array, subset: NumberSet, places: Int32Array): void {
  bits.fill(0)
  for (let word = 0; word < subset.length; word++) {
    for (let rest = subset[word]!; rest !== 0; rest &= rest - 1) {
      const place = places[word * 32 + 31 - Math.clz32(rest & -rest)]!
      bits[place >>> 3]! |= 1 << (place & 7)
    }
  }
  const count = countNumbers(subset)
  const start = writer.at
  if (count < bits.length) {
    writeVarint(writer, count * 2)
    const first = writer.at
    writeSteps(writer, bits)
    if (writer.at - first <= bits.length) return
  }
  writer.at = start
  writeVarint(writer, count * 2 + 1)
  writeBytes(writer, bits)
}

function writeSteps(writer: ByteWriter, bits: Uint8Array): void {
  let next = 0
  for (let byte = 0; byte < bits.length; byte++) {
    for (let rest = bits[byte]!; rest !== 0; rest &= rest - 1) {
      const place = byte * 8 + 31 - Math.clz32(rest & -rest)
      writeVarint(writer, place - next)
      next = place + 1
    }
  }
}

/** Fills `into` with the places of the members, ascending, and gives how many they are. Its length is that of the whole set. */
export function readSubset(reader: ByteReader, into: Uint32Array): number {
  const head = readVarint(reader)
  const count = Math.floor(head / 2)
  if (count > into.length) throw damaged('a subset is larger than its set')
  if (head % 2 === 0) readSteps(reader, into, count)
  else readBits(reader, into, count)
  return count
}

function readSteps(reader: ByteReader, into: Uint32Array, count: number): void {
  let next = 0
  for (let at = 0; at < count; at++) {
    const place = next + readVarint(reader)
    if (place >= into.length) throw damaged('a subset has what its set lacks')
    into[at] = place
    next = place + 1
  }
}

function readBits(reader: ByteReader, into: Uint32Array, count: number): void {
  const from = reader.at
  const to = from + Math.ceil(into.length / 8)
  if (to > reader.end) throw damaged('the data ends too early')
  let at = 0
  for (let byte = from; byte < to; byte++) {
    for (let rest = reader.bytes[byte]!; rest !== 0; rest &= rest - 1) {
      const place = (byte - from) * 8 + 31 - Math.clz32(rest & -rest)
      if (place >= into.length || at === count) throw damaged('a subset has what its set lacks')
      into[at++] = place
    }
  }
  if (at !== count) throw damaged('a subset has another number of members')
  reader.at = to
}
