// Floor 1. The total of a bucket as bytes.

import { type Bucket, isBlank, modelOf, type Total } from './bucket.ts'
import {
  type ByteReader,
  damaged,
  expectEnd,
  openReader,
  readByte,
  readSection,
  readSigned,
  readText,
  readVarint,
  skipSection,
} from './byte-reader.ts'
import {
  type ByteWriter,
  openWriter,
  writeSection,
  writeSigned,
  writeText,
  writeVarint,
  written,
} from './byte-writer.ts'
import { areZero, type Counters, counterAt, counterCount, makeCounters } from './counters.ts'
import { readDistinct, writeDistinct } from './distinct-codec.ts'
import { readDurations, writeDurations } from './durations.ts'

const version = 1

/** For a stretch that is counted to its end: sets of one without events are left out, since nothing else takes from them. */
export function encodeTotal(bucket: Bucket): Buffer {
  const writer = openWriter()
  writeTotal(writer, openWriter(), bucket.total, isBlank(bucket))
  return written(writer)
}

/** The same total gives the same bytes, however it was added up. */
export function writeTotal(writer: ByteWriter, scratch: ByteWriter, total: Total, isOver: boolean): void {
  writeVarint(writer, version)
  writeCounters(writer, total.counters)
  writeDurations(writer, total.durations)
  const models = [...total.models].filter(([, counters]) => !areZero(counters)).sort(([a], [b]) => byText(a, b))
  writeSection(writer, scratch, (into) => {
    for (const [model, counters] of models) {
      writeVarint(into, model === null ? 0 : 1)
      if (model !== null) writeText(into, model)
      writeCounters(into, counters)
    }
  })
  writeSection(writer, scratch, (into) => !isOver && writeDistinct(into, total.traces))
  writeSection(writer, scratch, (into) => !isOver && writeDistinct(into, total.sessions))
}

/** Adds a written total to another. Throws where the bytes are none. */
export function mergeTotal(into: Total, bytes: Uint8Array): void {
  const reader = openReader(bytes)
  readTotal(reader, into)
  expectEnd(reader)
}

export function readTotal(reader: ByteReader, into: Total): void {
  readVersion(reader)
  readCounters(reader, into.counters)
  readDurations(reader, into.durations)
  readSection(reader, (section) => {
    while (section.at < section.end) {
      const tag = readVarint(section)
      if (tag > 1) throw damaged('a model that is neither told nor not')
      readCounters(section, modelOf(into, tag === 0 ? null : readText(section)))
    }
  })
  readSection(reader, (section) => readDistinct(section, into.traces))
  readSection(reader, (section) => readDistinct(section, into.sessions))
}

/** Adds all of a written total that a cell has too, and steps over its models and sessions. */
export function mergeTotalSums(into: Pick<Total, 'counters' | 'durations' | 'traces'>, bytes: Uint8Array): void {
  const reader = openReader(bytes)
  readVersion(reader)
  readCounters(reader, into.counters)
  readDurations(reader, into.durations)
  skipSection(reader)
  readSection(reader, (section) => readDistinct(section, into.traces))
}

/** How many events a written total has. */
export function readEvents(bytes: Uint8Array): number {
  const reader = openReader(bytes)
  readVersion(reader)
  const counters = makeCounters()
  readCounters(reader, counters)
  return counters[counterAt.events]!
}

function readVersion(reader: ByteReader): void {
  if (readByte(reader) !== version) throw damaged('a version that this code does not know')
}

/** Which are not zero, as bits, and those. */
export function writeCounters(writer: ByteWriter, counters: Counters): void {
  let set = 0
  for (let at = 0; at < counterCount; at++) if (counters[at] !== 0) set |= 1 << at
  writeVarint(writer, set)
  for (let at = 0; at < counterCount; at++) if (counters[at] !== 0) writeSigned(writer, counters[at]!)
}

export function readCounters(reader: ByteReader, into: Counters): void {
  const set = readVarint(reader)
  if (set >= 1 << counterCount) throw damaged('a counter that this code does not know')
  for (let rest = set; rest !== 0; rest &= rest - 1) into[31 - Math.clz32(rest & -rest)]! += readSigned(reader)
}

/** Code unit order, null first: the same everywhere. */
export function byText(a: string | null, b: string | null): number {
  if (a === b) return 0
  if (a === null || b === null) return a === null ? -1 : 1
  return a < b ? -1 : 1
}
