// Floor 1. What one transaction changed, minute by minute, and such changes as bytes.

import { addFact, type Bucket, makeBucket, mergeBucket } from './bucket.ts'
import {
  damaged,
  expectEnd,
  openReader,
  readByte,
  readCount,
  readSection,
  readSigned,
  skipSection,
} from './byte-reader.ts'
import { openWriter, writeBytes, writeSigned, writeVarint, written } from './byte-writer.ts'
import { readAllCells, writeChangedCells } from './cells-codec.ts'
import type { Fact } from './fact.ts'
import { readTotal, writeTotal } from './total-codec.ts'

/** By the start of the minute, in Unix milliseconds. A bucket in it is a difference: its counters may be negative. */
export type Delta = Map<number, Bucket>

const version = 1
const minuteMs = 60_000
const maxMinute = 8.64e15 / minuteMs

/** Adds one event to its minute, or takes it away with sign -1. About 0.4 µs. */
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

export function mergeDelta(into: Delta, from: Delta): void {
  for (const [startMs, bucket] of from) mergeBucket(minuteOf(into, startMs), bucket)
}

/** The same changes give the same bytes, in whatever order they were made. */
export function encodeDelta(delta: Delta): Buffer {
  const writer = openWriter(4_096)
  const body = openWriter(4_096)
  const scratch = openWriter()
  writeVarint(writer, version)
  writeVarint(writer, delta.size)
  for (const [startMs, bucket] of [...delta].sort(([a], [b]) => a - b)) {
    writeSigned(writer, startMs / minuteMs)
    for (const write of [
      () => writeTotal(body, scratch, bucket.total, false),
      () => writeChangedCells(body, scratch, bucket.cells),
    ]) {
      body.at = 0
      write()
      writeVarint(writer, body.at)
      writeBytes(writer, written(body))
    }
  }
  return written(writer)
}

/** Adds written changes to others, with their cells or without. Throws where the bytes are none, having added some of them. */
export function mergeEncodedDelta(into: Delta, bytes: Uint8Array, withCells = true): void {
  const reader = openReader(bytes)
  if (readByte(reader) !== version) throw damaged('unknown version')
  const minutes = readCount(reader, 4)
  for (let no = 0; no < minutes; no++) {
    const minute = readSigned(reader)
    if (Math.abs(minute) > maxMinute) throw damaged('a minute is out of range')
    const bucket = minuteOf(into, minute * minuteMs)
    readSection(reader, (section) => readTotal(section, bucket.total))
    if (withCells) readSection(reader, (section) => readAllCells(section, bucket.cells))
    else skipSection(reader)
  }
  expectEnd(reader)
}
