// Floor 1. What one transaction changed, minute by minute, and such changes as bytes. What is known of their sets stands apart: a release
// that knows nothing of it reads the rest.

import { addFact, type Bucket, makeBucket, mergeBucket } from './bucket.ts'
import {
  type ByteReader,
  damaged,
  expectEnd,
  openReader,
  readByte,
  readCount,
  readSection,
  readSigned,
  skipSection,
} from './byte-reader.ts'
import { type ByteWriter, openWriter, writeBytes, writeSigned, writeVarint, written } from './byte-writer.ts'
import { readAllCells, writeChangedCells } from './cells-codec.ts'
import type { Fact } from './fact.ts'
import { setNames } from './members.ts'
import { encodeSet, mergeSet } from './set-codec.ts'
import { forgetSets } from './sets.ts'
import { readTotal, writeTotal } from './total-codec.ts'

/** By the start of the minute, in Unix milliseconds. A bucket in it is a difference: its counters may be negative. */
export type Delta = Map<number, Bucket>

const version = 1
const setsVersion = 1
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

/** A change as it is stored; without sets where a release that knows nothing of them wrote it. */
export type StoredDelta = { readonly body: Uint8Array; readonly sets: Uint8Array | null }

/** The same changes give the same bytes, in whatever order they were made. */
export const encodeDelta = (delta: Delta): { readonly body: Buffer; readonly sets: Buffer } => {
  const minutes = [...delta].sort(([a], [b]) => a - b)
  return { body: encodeBody(minutes), sets: encodeSets(minutes) }
}

type Minutes = readonly (readonly [startMs: number, bucket: Bucket])[]

function encodeBody(minutes: Minutes): Buffer {
  const writer = openWriter(4_096)
  const body = openWriter(4_096)
  const scratch = openWriter()
  writeVarint(writer, version)
  writeVarint(writer, minutes.length)
  for (const [startMs, bucket] of minutes) {
    writeSigned(writer, startMs / minuteMs)
    for (const write of [
      () => writeTotal(body, scratch, bucket.total, false),
      () => writeChangedCells(body, scratch, bucket.cells),
    ]) {
      body.at = 0
      write()
      writePart(writer, written(body))
    }
  }
  return written(writer)
}

function encodeSets(minutes: Minutes): Buffer {
  const writer = openWriter(4_096)
  writeVarint(writer, setsVersion)
  writeVarint(writer, minutes.length)
  for (const [startMs, { cells, sets }] of minutes) {
    writeSigned(writer, startMs / minuteMs)
    for (const name of setNames) {
      const bytes = encodeSet(sets, name, cells.list)
      if (bytes === null) throw new Error('a change with unknown sets is not written')
      writePart(writer, bytes)
    }
  }
  return written(writer)
}

function writePart(writer: ByteWriter, bytes: Buffer): void {
  writeVarint(writer, bytes.length)
  writeBytes(writer, bytes)
}

/** Adds a stored change to others. Throws where the bytes are none, having added some of them. */
export function mergeStoredDelta(into: Delta, { body, sets }: StoredDelta): void {
  if (sets !== null) {
    mergeEncodedDelta(into, body)
    mergeEncodedSets(into, sets)
    return
  }
  const own: Delta = new Map()
  mergeEncodedDelta(own, body)
  for (const bucket of own.values()) forgetSets(bucket.sets)
  mergeDelta(into, own)
}

/** Adds written changes to others, with their cells or without, and without what is known of their sets. Throws as well. */
export function mergeEncodedDelta(into: Delta, bytes: Uint8Array, withCells = true): void {
  eachMinute(bytes, version, (reader, startMs) => {
    const bucket = minuteOf(into, startMs)
    readSection(reader, (section) => readTotal(section, bucket.total))
    if (withCells) readSection(reader, (section) => readAllCells(section, bucket.cells))
    else skipSection(reader)
  })
}

/** Adds what is known of the sets of written changes to others, and to their cells nothing else. Throws as well. */
export function mergeEncodedSets(into: Delta, bytes: Uint8Array): void {
  eachMinute(bytes, setsVersion, (reader, startMs) => {
    const bucket = minuteOf(into, startMs)
    for (const name of setNames) {
      const length = readCount(reader)
      mergeSet(bucket, name, reader.bytes.subarray(reader.at, reader.at + length))
      reader.at += length
    }
  })
}

function eachMinute(
  bytes: Uint8Array,
  expected: number,
  take: (reader: ByteReader, startMs: number) => void,
): void {
  const reader = openReader(bytes)
  if (readByte(reader) !== expected) throw damaged('unknown version')
  const minutes = readCount(reader, 3)
  for (let no = 0; no < minutes; no++) {
    const minute = readSigned(reader)
    if (Math.abs(minute) > maxMinute) throw damaged('a minute is out of range')
    take(reader, minute * minuteMs)
  }
  expectEnd(reader)
}
