// Encodes durations: the distance of each bucket from the one before, and its count.
import { type ByteReader, damaged, readSigned, readVarint } from './byte-reader.ts'
import { type ByteWriter, writeSigned, writeVarint } from './byte-writer.ts'
import { addCount, type Durations, keyAt, makeRoom, maxKey, maxSparse, spread } from './durations.ts'

/** Buckets without a count are left out, so the same durations give the same bytes, whatever was added and removed. */
export function writeDurations(writer: ByteWriter, durations: Durations): void {
  const { zeros, counts, size } = durations
  let used = 0
  for (let at = 0; at < size; at++) if (counts[at] !== 0) used++
  writeSigned(writer, zeros)
  writeVarint(writer, used)
  let last = -1
  for (let at = 0; at < size; at++) {
    if (counts[at] === 0) continue
    const key = keyAt(durations, at)
    writeVarint(writer, key - last)
    writeSigned(writer, counts[at]!)
    last = key
  }
}

/** Adds written durations to others. About 5 ns a bucket. */
export function readDurations(reader: ByteReader, into: Durations): void {
  into.zeros += readSigned(reader)
  const used = readVarint(reader)
  if (used > maxKey + 1) throw damaged('too many buckets')
  // If `into` is empty, the buckets keep the sparse form in which they were written until something is added.
  if (into.size === 0) readAlone(reader, into, used)
  else readOnto(reader, into, used)
}

function readAlone(reader: ByteReader, into: Durations, used: number): void {
  const keys = makeRoom(into, used)
  const { counts } = into
  const view = viewOf(reader)
  const lastFour = reader.end - 4
  let { at } = reader
  let key = -1
  let no = 0
  while (no < used) {
    const four = at <= lastFour ? view.getInt32(at, true) : 0
    if (areTwo(four) && no + 1 < used) {
      key += four & 0x7f
      keys[no] = key
      counts[no] = (four >>> 9) & 0x3f
      key += (four >>> 16) & 0x7f
      keys[no + 1] = key
      counts[no + 1] = four >>> 25
      at += 4
      no += 2
      continue
    }
    if (isLong(four)) {
      key += four & 0x7f
      keys[no] = key
      counts[no] = longCount(four)
      at += 3
    } else {
      reader.at = at
      key = readKey(reader, key)
      keys[no] = key
      counts[no] = readSigned(reader)
      at = reader.at
    }
    no += 1
  }
  if (key > maxKey) throw damaged('a bucket key is repeated or out of range')
  reader.at = at
  into.size = used
}

function readOnto(reader: ByteReader, into: Durations, used: number): void {
  if (into.keys !== null && Math.max(into.size, used) > maxSparse) spread(into, into.keys)
  const view = viewOf(reader)
  const lastFour = reader.end - 4
  let { at } = reader
  let key = -1
  let { counts, base } = into
  // The buckets of a sparse sketch cannot be found by index: size 0 sends all of them to the slow path.
  let size = into.keys === null ? into.size : 0
  let no = 0
  while (no < used) {
    const four = at <= lastFour ? view.getInt32(at, true) : 0
    const first = key + (four & 0x7f) - base
    const second = first + ((four >>> 16) & 0x7f)
    if (areTwo(four) && no + 1 < used && first >= 0 && second < size) {
      counts[first]! += (four >>> 9) & 0x3f
      counts[second]! += four >>> 25
      key = second + base
      at += 4
      no += 2
      continue
    }
    no += 1
    if (isLong(four) && first >= 0 && first < size) {
      counts[first]! += longCount(four)
      key = first + base
      at += 3
      continue
    }
    reader.at = at
    key = readKey(reader, key)
    addCount(into, key, readSigned(reader))
    at = reader.at
    counts = into.counts
    base = into.base
    size = into.keys === null ? into.size : 0
  }
  reader.at = at
}

const viewOf = ({ bytes, end }: ByteReader): DataView => new DataView(bytes.buffer, bytes.byteOffset, end)

/** True if four bytes are two buckets in the usual form: a step of one byte and a positive count of one byte. */
const areTwo = (four: number): boolean =>
  (((four - 0x0101_0101) | four) & 0x8080_8080) === 0 && (four & 0x0100_0100) === 0x0100_0100

/** True if four bytes begin with a bucket that has a step of one byte and a positive count of two bytes. */
const isLong = (four: number): boolean =>
  (four & 0x80_8180) === 0x8100 && (four & 0x7f) !== 0 && (four & 0x7f_0000) !== 0

const longCount = (four: number): number => ((four >>> 9) & 0x3f) | ((four >>> 10) & 0x1fc0)

function readKey(reader: ByteReader, last: number): number {
  const step = readVarint(reader)
  if (step === 0 || last + step > maxKey) throw damaged('a bucket key is repeated or out of range')
  return last + step
}
