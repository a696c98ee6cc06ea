// Encodes a subset of the members of a set: the distance of each from the one before, or one bit for every member of the set where that
// is shorter.
import { type ByteReader, damaged, readVarint } from './byte-reader.ts'
import { type ByteWriter, reserve, writeVarint } from './byte-writer.ts'
import { countNumbers, type NumberSet } from './number-set.ts'

/** `members` is the number of members of the set, which must be numbered in the order of their hashes. */
export function writeSubset(writer: ByteWriter, subset: NumberSet, members: number): void {
  const count = countNumbers(subset)
  const bitBytes = Math.ceil(members / 8)
  const start = writer.at
  if (count < bitBytes) {
    writeVarint(writer, count * 2)
    const first = writer.at
    writeSteps(writer, subset)
    if (writer.at - first <= bitBytes) return
  }
  writer.at = start
  writeVarint(writer, count * 2 + 1)
  reserve(writer, bitBytes)
  for (let byte = 0; byte < bitBytes; byte++) {
    writer.bytes[writer.at++] = (subset[byte >>> 2] ?? 0) >>> ((byte & 3) * 8)
  }
}

function writeSteps(writer: ByteWriter, subset: NumberSet): void {
  let next = 0
  for (let word = 0; word < subset.length; word++) {
    for (let rest = subset[word]!; rest !== 0; rest &= rest - 1) {
      const place = word * 32 + 31 - Math.clz32(rest & -rest)
      writeVarint(writer, place - next)
      next = place + 1
    }
  }
}

/** Replaces the content of `into` by the indexes of the subset's members, ascending. `members` is the number of members of the set. */
export function readSubset(reader: ByteReader, members: number, into: number[]): void {
  const head = readVarint(reader)
  const count = Math.floor(head / 2)
  if (count > members) throw damaged('a subset is larger than its set')
  into.length = 0
  if (head % 2 === 0) readSteps(reader, members, count, into)
  else readBits(reader, members, into)
  if (into.length !== count) throw damaged('a subset has another number of members')
}

function readSteps(reader: ByteReader, members: number, count: number, into: number[]): void {
  let next = 0
  for (let at = 0; at < count; at++) {
    const place = next + readVarint(reader)
    if (place >= members) throw damaged('a subset has what its set lacks')
    into.push(place)
    next = place + 1
  }
}

function readBits(reader: ByteReader, members: number, into: number[]): void {
  const from = reader.at
  const to = from + Math.ceil(members / 8)
  if (to > reader.end) throw damaged('the data ends too early')
  for (let byte = from; byte < to; byte++) {
    for (let rest = reader.bytes[byte]!; rest !== 0; rest &= rest - 1) {
      const place = (byte - from) * 8 + 31 - Math.clz32(rest & -rest)
      if (place >= members) throw damaged('a subset has what its set lacks')
      into.push(place)
    }
  }
  reader.at = to
}
