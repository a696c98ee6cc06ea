// Floor 1. Durations as bytes: of each bucket how far it is from the one before, and its count.
import { type ByteReader, damaged, readSigned, readVarint } from './byte-reader.ts'
import { type ByteWriter, writeSigned, writeVarint } from './byte-writer.ts'
import { addCount, type Durations, keyAt, makeRoom, maxKey, maxSparse, spread } from './durations.ts'

/** Buckets without a count are left out: the same durations give the same bytes, whatever was added and taken away. */
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

/** Adds written durations to others. About 2 ns a bucket. */
export function readDurations(reader: ByteReader, into: Durations): void {
  into.zeros += readSigned(reader)
  const used = readVarint(reader)
  if (used > maxKey + 1) throw damaged('more buckets than there are')
  // Into nothing, buckets stay as they were written until something is added to them.
  if (into.size === 0) readAlone(reader, into, used)
  else readOnto(reader, into, used)
}

function readAlone(reader: ByteReader, into: Durations, used: number): void {
  const keys = makeRoom(into, used)
  const { counts } = into
  const view = viewOf(reader)
  const lastFour = reader.end - 4
  let key = -1
  for (let no = 0; no < used; ) {
    const four = reader.at <= lastFour ? view.getInt32(reader.at, true) : 0
    if (areTwo(four) && no + 1 < used) {
      key += four & 0x7f
      keys[no] = key
      counts[no] = (four >>> 9) & 0x3f
      key += (four >>> 16) & 0x7f
      keys[no + 1] = key
      counts[no + 1] = four >>> 25
      reader.at += 4
      no += 2
    } else {
      key = readKey(reader, key)
      keys[no] = key
      counts[no] = readSigned(reader)
      no += 1
    }
  }
  if (key > maxKey) throw damaged('a bucket out of order')
  into.size = used
}

function readOnto(reader: ByteReader, into: Durations, used: number): void {
  if (into.keys !== null && Math.max(into.size, used) > maxSparse) spread(into, into.keys)
  const view = viewOf(reader)
  const lastFour = reader.end - 4
  let key = -1
  for (let no = 0; no < used; ) {
    const four = reader.at <= lastFour ? view.getInt32(reader.at, true) : 0
    const first = key + (four & 0x7f) - into.base
    const second = first + ((four >>> 16) & 0x7f)
    if (areTwo(four) && no + 1 < used && first >= 0 && second < into.size && into.keys === null) {
      into.counts[first]! += (four >>> 9) & 0x3f
      into.counts[second]! += four >>> 25
      key = second + into.base
      reader.at += 4
      no += 2
    } else {
      key = readKey(reader, key)
      addCount(into, key, readSigned(reader))
      no += 1
    }
  }
}

const viewOf = ({ bytes, end }: ByteReader): DataView => new DataView(bytes.buffer, bytes.byteOffset, end)

/** Whether four bytes are two buckets as nearly all are written: a step in one byte, and in another a count that is above zero. */
const areTwo = (four: number): boolean =>
  (((four - 0x0101_0101) | four) & 0x8080_8080) === 0 && (four & 0x0100_0100) === 0x0100_0100

function readKey(reader: ByteReader, last: number): number {
  const step = readVarint(reader)
  if (step === 0 || last + step > maxKey) throw damaged('a bucket out of order')
  return last + step
}
