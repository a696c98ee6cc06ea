// The change of the rollups by one transaction, by minute, and its encoding. Known sets are encoded apart, so that a release that does not
// support them can read the rest.

import { addFact, type Bucket, makeBucket } from './bucket.ts'
import {
  type ByteReader,
  damaged,
  expectEnd,
  openReader,
  readCount,
  readSection,
  readSigned,
  readVersion,
  skipSection,
} from './byte-reader.ts'
import { openWriter, writeSection, writeSigned, writeVarint, written } from './byte-writer.ts'
import { layOutChanged, readAllCells, writeCells } from './cells-codec.ts'
import type { Fact } from './fact.ts'
import { sortSets } from './sets.ts'
import { keepKnown, mergeSets, writeSets } from './sets-codec.ts'
import { readTotal, writeTotal } from './total-codec.ts'

/** Buckets by the start of their minute, in Unix milliseconds. Each is a difference: its counters may be negative. */
export type Delta = Map<number, Bucket>

const version = 1
const minuteMs = 60_000
const maxMinute = 8.64e15 / minuteMs

/** Adds one event to its minute, or removes it with sign -1. About 0.4 µs. */
export function addToDelta(delta: Delta, fact: Fact, sign: 1 | -1): void {
  addFact(minuteOf(delta, Math.floor(fact.startUs / (minuteMs * 1_000)) * minuteMs), fact, sign)
}

function minuteOf(delta: Delta, startMs: number): Bucket {
  const known = delta.get(startMs)
  if (known !== undefined) return known
  const bucket = makeBucket()
  delta.set(startMs, bucket)
  return bucket
}

/** A delta as it is stored. `sets` is null if a release without known sets wrote it. */
export type StoredDelta = { readonly body: Uint8Array; readonly sets: Uint8Array | null }

/** Encodes a delta. The same changes give the same bytes, in whatever order they were made. */
export function encodeDelta(delta: Delta): { readonly body: Buffer; readonly sets: Buffer } {
  const body = openWriter(4_096)
  const sets = openWriter(2_048)
  const part = openWriter(4_096)
  const scratch = openWriter()
  for (const writer of [body, sets]) {
    writeVarint(writer, version)
    writeVarint(writer, delta.size)
  }
  for (const [startMs, bucket] of [...delta].sort(([a], [b]) => a - b)) {
    const layout = layOutChanged(bucket.cells)
    sortSets(bucket)
    writeSigned(body, startMs / minuteMs)
    writeSection(body, part, (into) => writeTotal(into, scratch, bucket.total, false, bucket.sets))
    writeSection(body, part, (into) => writeCells(into, scratch, bucket, layout))
    writeSigned(sets, startMs / minuteMs)
    writeSection(sets, part, (into) => writeSets(into, scratch, bucket, layout))
  }
  return { body: written(body), sets: written(sets) }
}

/** Adds a stored delta to another one. Throws where the bytes are invalid; part of the data may have been added then. */
export function mergeStoredDelta(into: Delta, { body, sets }: StoredDelta): void {
  const ofSets = sets === null ? null : openMinutes(sets)
  eachMinute(body, (reader, startMs) => {
    const bucket = minuteOf(into, startMs)
    const own = ofSets === null ? null : readSets(ofSets, startMs)
    const kept = keepKnown(bucket, own)
    readSection(reader, (section) => readTotal(section, bucket.total, kept))
    readSection(reader, (section) => {
      const owners = readAllCells(section, bucket.cells, kept)
      if (own !== null) mergeSets(bucket, own, kept, owners)
    })
  })
  if (ofSets !== null) expectEnd(ofSets)
}

/** As `mergeStoredDelta`, but without known sets: adds the sketches instead. Cells are optional. Throws likewise. */
export function mergeEncodedDelta(into: Delta, bytes: Uint8Array, withCells = true): void {
  eachMinute(bytes, (reader, startMs) => {
    const bucket = minuteOf(into, startMs)
    const kept = keepKnown(bucket, null)
    readSection(reader, (section) => readTotal(section, bucket.total, kept))
    if (withCells) readSection(reader, (section) => readAllCells(section, bucket.cells, kept))
    else skipSection(reader)
  })
}

/** Calls `take` with the encoded sets of each minute of a stored delta. Throws where the bytes are invalid. */
export const eachSets = (bytes: Uint8Array, take: (startMs: number, sets: Buffer) => void): void =>
  eachMinute(bytes, (reader, startMs) => take(startMs, readBytes(reader)))

function eachMinute(bytes: Uint8Array, take: (reader: ByteReader, startMs: number) => void): void {
  const reader = openReader(bytes)
  const minutes = readMinutes(reader)
  for (let no = 0; no < minutes; no++) take(reader, readMinute(reader))
  expectEnd(reader)
}

function openMinutes(bytes: Uint8Array): ByteReader {
  const reader = openReader(bytes)
  readMinutes(reader)
  return reader
}

function readMinutes(reader: ByteReader): number {
  readVersion(reader, version)
  return readCount(reader, 3)
}

function readMinute(reader: ByteReader): number {
  const minute = readSigned(reader)
  if (Math.abs(minute) > maxMinute) throw damaged('a minute is out of range')
  return minute * minuteMs
}

/** Reads the sets of the next minute, which must start at `startMs`. */
function readSets(reader: ByteReader, startMs: number): Buffer {
  if (readMinute(reader) !== startMs) throw damaged('the sets are those of another minute')
  return readBytes(reader)
}

function readBytes(reader: ByteReader): Buffer {
  const length = readCount(reader)
  const { bytes, at } = reader
  reader.at += length
  return bytes.subarray(at, reader.at)
}
