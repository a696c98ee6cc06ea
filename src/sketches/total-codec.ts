// Encodes the total of a bucket. Its head comes first: it contains all that a chart shows of an interval that is not merged with others, so
// that the sets behind it need not be read.
import { type Bucket, isBlank, makeTotal, modelOf, type Total, totalPrecision } from './bucket.ts'
import {
  type ByteReader,
  damaged,
  expectEnd,
  NewerFormat,
  openReader,
  readCount,
  readSection,
  readSigned,
  readText,
  readVarint,
  readVersion,
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
import { areZero, type Counters, counterAt, counterPlaces, makeCounters } from './counters.ts'
import { readDistinct, writeDistinct, writeSketch } from './distinct-codec.ts'
import { countDistinct } from './distinct-estimate.ts'
import { clearDurations, type Durations, makeDurations } from './durations.ts'
import { readDurations, writeDurations } from './durations-codec.ts'
import { shorten } from './hash.ts'
import { type KnownSets, makeUnknownSets, noneKnown, type Sets, sortSets } from './sets.ts'

export const totalVersion = 2
// Bits further ahead are more likely damaged data than counters of a later release.
const countersAhead = 8
/** The version without a head: counters and durations are at the same position, and the number of traces is not stored. */
const headless = 1

/** Encodes the total of a complete interval. Without events its sets are left out: they would still contain the events that were removed. */
export function encodeTotal(bucket: Bucket): Buffer {
  sortSets(bucket)
  const writer = openWriter()
  writeTotal(writer, openWriter(), bucket.total, isBlank(bucket), bucket.sets)
  return written(writer)
}

/** The same total gives the same bytes, however it was added up, and whether its sets are known or not. The sets must be sorted. */
export function writeTotal(
  writer: ByteWriter,
  scratch: ByteWriter,
  total: Total,
  isOver: boolean,
  sets: Sets = makeUnknownSets(),
): void {
  writeVarint(writer, totalVersion)
  writeSection(writer, scratch, (into) => {
    writeCounters(into, total.counters)
    writeVarint(into, isOver ? 0 : countTraces(total, sets))
    writeDurations(into, total.durations)
  })
  const models = [...total.models].filter(([, counters]) => !areZero(counters)).sort(([a], [b]) => byText(a, b))
  writeSection(writer, scratch, (into) => {
    for (const [model, counters] of models) {
      writeVarint(into, model === null ? 0 : 1)
      if (model !== null) writeText(into, model)
      writeCounters(into, counters)
    }
  })
  for (const name of ['traces', 'sessions'] as const) {
    writeSection(writer, scratch, (into) => {
      const members = sets[name]
      if (isOver) return
      if (typeof members === 'string') writeDistinct(into, total[name])
      else writeSketch(into, totalPrecision, members.hashes.map(shorten))
    })
  }
}

const countTraces = (total: Total, { traces }: Sets): number =>
  typeof traces === 'string' ? countDistinct(total.traces) : traces.hashes.length

/** Adds a written total to another, except for the sketches of known sets. Throws where the bytes are invalid. */
export function mergeTotal(into: Total, bytes: Uint8Array, known: KnownSets = noneKnown): void {
  const reader = openReader(bytes)
  readTotal(reader, into, known)
  expectEnd(reader)
}

export function readTotal(reader: ByteReader, into: Total, known: KnownSets): void {
  readSums(reader, into)
  readSection(reader, (section) => {
    while (section.at < section.end) {
      const tag = readVarint(section)
      if (tag > 1) throw damaged('invalid tag of a model')
      readCounters(section, modelOf(into, tag === 0 ? null : readText(section)))
    }
  })
  for (const name of ['traces', 'sessions'] as const) {
    if (known[name]) skipSection(reader)
    else readSection(reader, (section) => readDistinct(section, into[name]))
  }
}

/** Adds the parts of a written total that a cell has too. Skips its models and sessions. */
export function mergeTotalSums(into: Pick<Total, 'counters' | 'durations' | 'traces'>, bytes: Uint8Array): void {
  const reader = openReader(bytes)
  readSums(reader, into)
  skipSection(reader)
  readSection(reader, (section) => readDistinct(section, into.traces))
}

function readSums(reader: ByteReader, into: Pick<Total, 'counters' | 'durations'>): void {
  if (readVersion(reader, totalVersion) === headless) {
    readCounters(reader, into.counters)
    readDurations(reader, into.durations)
    return
  }
  readSection(reader, (section) => {
    readCounters(section, into.counters)
    readVarint(section)
    readDurations(section, into.durations)
  })
}

/** The head of one written total. The number of traces cannot be added to that of another total. */
export type Head = { readonly counters: Counters; readonly durations: Durations; traces: number }

/** Returns a record for `fillHead`. */
export const makeHead = (): Head => ({ counters: makeCounters(), durations: makeDurations(), traces: 0 })

/** Returns whether the first bytes of a written total contain its whole head. False also for a total without a head. */
export function hasHead(bytes: Uint8Array): boolean {
  const reader = openReader(bytes)
  if (readVersion(reader, totalVersion) === headless) return false
  return readVarint(reader) <= reader.end - reader.at
}

/**
 * Fills a record with the head of a written total. The first bytes are enough if the total has a head; else the head is computed from all
 * bytes. Throws where the bytes needed are cut off.
 */
export function fillHead(head: Head, bytes: Uint8Array): void {
  head.counters.fill(0)
  clearDurations(head.durations)
  const reader = openReader(bytes)
  if (readVersion(reader, totalVersion) === headless) {
    const { traces } = makeTotal()
    mergeTotalSums({ ...head, traces }, bytes)
    head.traces = countDistinct(traces)
    return
  }
  reader.end = readCount(reader) + reader.at
  readCounters(reader, head.counters)
  head.traces = readVarint(reader)
  readDurations(reader, head.durations)
  expectEnd(reader)
}

/** Returns the number of events of a written total. */
export function readEvents(bytes: Uint8Array): number {
  const reader = openReader(bytes)
  if (readVersion(reader, totalVersion) !== headless) readCount(reader)
  // The number of events is the first counter.
  return (readVarint(reader) & (1 << counterAt.events)) === 0 ? 0 : readSigned(reader)
}

/** Writes bits that say which counters are not zero, then these counters. */
export function writeCounters(writer: ByteWriter, counters: Counters): void {
  let set = 0
  for (let at = 0; at < counterPlaces; at++) if (counters[at] !== 0) set |= 1 << at
  writeVarint(writer, set)
  for (let at = 0; at < counterPlaces; at++) if (counters[at] !== 0) writeSigned(writer, counters[at]!)
}

export function readCounters(reader: ByteReader, into: Counters): void {
  const set = readVarint(reader)
  if (set >= 1 << (counterPlaces + countersAhead)) throw damaged('unknown counter')
  if (set >= 1 << counterPlaces) throw new NewerFormat('more counters than this release has places for')
  for (let rest = set; rest !== 0; rest &= rest - 1) into[31 - Math.clz32(rest & -rest)]! += readSigned(reader)
}

/** Compares by UTF-16 code units, null first: the same order on every machine. */
export function byText(a: string | null, b: string | null): number {
  if (a === b) return 0
  if (a === null || b === null) return a === null ? -1 : 1
  return a < b ? -1 : 1
}
