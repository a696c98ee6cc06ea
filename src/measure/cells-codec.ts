// Floor 1. The cells of a bucket as bytes: names told once, and each part of a cell behind its length, to be stepped over.
import { kinds } from '../event/event.ts'
import type { Bucket } from './bucket.ts'
import {
  type ByteReader,
  damaged,
  expectEnd,
  openReader,
  readByte,
  readCount,
  readSection,
  readText,
  skipSection,
} from './byte-reader.ts'
import { type ByteWriter, openWriter, writeSection, writeText, writeVarint, written } from './byte-writer.ts'
import { type Cell, type CellKey, type CellSums, type Cells, cellOf, maxCells, sessionsOf } from './cell.ts'
import { byKey, fillKey, idBytes, makeKey, placeNames, readId, readList, writeId, writeKey } from './cell-keys-codec.ts'
import { areZero, makeCounters } from './counters.ts'
import { type Distinct, isEmptyDistinct } from './distinct.ts'
import { readDistinct, writeDistinct } from './distinct-codec.ts'
import { isEmptyDurations } from './durations.ts'
import { readDurations, writeDurations } from './durations-codec.ts'
import { readCounters, writeCounters } from './total-codec.ts'

const version = 1

/** For a stretch that is counted to its end: a cell without events is left out, whatever its sets hold. */
export function encodeCells(bucket: Bucket): Buffer {
  const writer = openWriter(4_096)
  const { list, sessions } = bucket.cells
  writeCells(writer, openWriter(), list.filter(hasEvents), sessions)
  return written(writer)
}

/** False where the events of a cell add up to nothing: it is as if it had never been there. */
export const hasEvents = (cell: Cell): boolean => !areZero(cell.counters) || !isEmptyDurations(cell.durations)

/** For a difference: what its sets gained counts, also where its events add up to nothing. */
export function writeChangedCells(writer: ByteWriter, scratch: ByteWriter, { list, sessions }: Cells): void {
  const changed = list.filter((cell) => hasEvents(cell) || !isEmptyDistinct(cell.traces))
  writeCells(writer, scratch, changed, sessions)
}

/** The same cells give the same bytes, in whatever order they were made. */
function writeCells(
  writer: ByteWriter,
  scratch: ByteWriter,
  list: readonly Cell[],
  sessions: ReadonlyMap<string, Distinct>,
): void {
  const sorted = [...list].sort(byKey)
  const places = placeNames(sorted)
  writeVarint(writer, version)
  writeVarint(writer, places.agents.size)
  for (const agentId of places.agents.keys()) {
    writeId(writer, agentId)
    const ofAgent = sessions.get(agentId)
    writeSection(writer, scratch, (into) => ofAgent !== undefined && writeDistinct(into, ofAgent))
  }
  writeVarint(writer, places.texts.size)
  for (const text of places.texts.keys()) writeText(writer, text)
  writeVarint(writer, sorted.length)
  for (const cell of sorted) {
    writeKey(writer, places, cell)
    writeCounters(writer, cell.counters)
    writeSection(writer, scratch, (into) => writeDurations(into, cell.durations))
    writeSection(writer, scratch, (into) => writeDistinct(into, cell.traces))
    writeSection(writer, scratch, (into) => writeDistinct(into, cell.inputs))
  }
}

/** Which parts of a cell are read, besides its counters. */
export type CellParts = { readonly durations: boolean; readonly traces: boolean; readonly inputs: boolean }

const everyPart: CellParts = { durations: true, traces: true, inputs: true }

/** Adds written cells to those of a bucket. Throws where the bytes are none. */
export function mergeCells(into: Cells, bytes: Uint8Array): void {
  const reader = openReader(bytes)
  readAllCells(reader, into)
  expectEnd(reader)
}

export function readAllCells(reader: ByteReader, into: Cells): void {
  readCells(
    reader,
    everyPart,
    (key) => cellOf(into, key),
    (agentId) => sessionsOf(into, agentId),
  )
}

/**
 * Adds each written cell to the sums that `choose` gives for its key, and steps over the cells that it gives null for. The key
 * is one record, filled again for each cell. `sessionsFor` chooses among the sessions of agents in the same way.
 */
export function readCells(
  reader: ByteReader,
  parts: CellParts,
  choose: (key: CellKey) => CellSums | null,
  sessionsFor: (agentId: string) => Distinct | null,
): void {
  if (readByte(reader) !== version) throw damaged('unknown version')
  const agents = readList(reader, idBytes + 1, (from) => readAgent(from, sessionsFor))
  const texts = readList(reader, 1, readText)
  const count = readCount(reader, 8)
  // Beyond the bound there is one cell for each agent and kind.
  if (count > maxCells + agents.length * kinds.length) throw damaged('too many cells')
  const skipped = makeCounters()
  const key = makeKey()
  for (let no = 0; no < count; no++) {
    fillKey(key, reader, agents, texts)
    const sums = choose(key)
    readCounters(reader, sums?.counters ?? skipped)
    if (sums === null || !parts.durations) skipSection(reader)
    else readSection(reader, (section) => readDurations(section, sums.durations))
    if (sums === null || !parts.traces) skipSection(reader)
    else readSection(reader, (section) => readDistinct(section, sums.traces))
    if (sums === null || !parts.inputs) skipSection(reader)
    else readSection(reader, (section) => readDistinct(section, sums.inputs))
  }
}

function readAgent(reader: ByteReader, sessionsFor: (agentId: string) => Distinct | null): string {
  const agentId = readId(reader)
  const sessions = sessionsFor(agentId)
  if (sessions === null) skipSection(reader)
  else readSection(reader, (section) => readDistinct(section, sessions))
  return agentId
}
