// Floor 1. The cells of a bucket as bytes: names told once, and each part of a cell behind its length, to be stepped over.
import { type Kind, kinds } from '../event/event.ts'
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
  readVarint,
  skipSection,
} from './byte-reader.ts'
import { type ByteWriter, openWriter, reserve, writeSection, writeText, writeVarint, written } from './byte-writer.ts'
import { type Cell, type CellKey, type CellSums, type Cells, cellOf, maxCells, sessionsOf } from './cell.ts'
import { areZero, makeCounters } from './counters.ts'
import { type Distinct, isEmptyDistinct } from './distinct.ts'
import { readDistinct, writeDistinct } from './distinct-codec.ts'
import { isEmptyDurations } from './durations.ts'
import { readDurations, writeDurations } from './durations-codec.ts'
import { byText, readCounters, writeCounters } from './total-codec.ts'

const version = 1
const idBytes = 16
const kindNames: ReadonlySet<string> = new Set(kinds)

/** For a stretch that is counted to its end: a cell without events is left out, whatever its sets hold. */
export function encodeCells(bucket: Bucket): Buffer {
  const writer = openWriter(4_096)
  const { list, sessions } = bucket.cells
  const left = list.filter((cell) => !isNeutral(cell))
  writeCells(writer, openWriter(), left, sessions)
  return written(writer)
}

/** For a difference: what its sets gained counts, also where its events add up to nothing. */
export function writeChangedCells(writer: ByteWriter, scratch: ByteWriter, { list, sessions }: Cells): void {
  const changed = list.filter((cell) => !isNeutral(cell) || !isEmptyDistinct(cell.traces))
  writeCells(writer, scratch, changed, sessions)
}

const isNeutral = (cell: Cell): boolean => areZero(cell.counters) && isEmptyDurations(cell.durations)

/** The same cells give the same bytes, in whatever order they were made. */
function writeCells(
  writer: ByteWriter,
  scratch: ByteWriter,
  list: readonly Cell[],
  sessions: ReadonlyMap<string, Distinct>,
): void {
  const sorted = [...list].sort(byKey)
  const agents = new Map<string, number>()
  const texts = new Map<string, number>()
  for (const { agentId, kind, model, tool } of sorted) {
    if (!agents.has(agentId)) agents.set(agentId, agents.size)
    for (const text of [kind, model, tool]) if (text !== null && !texts.has(text)) texts.set(text, texts.size + 1)
  }
  writeVarint(writer, version)
  writeVarint(writer, agents.size)
  for (const agentId of agents.keys()) {
    writeId(writer, agentId)
    const ofAgent = sessions.get(agentId)
    writeSection(writer, scratch, (into) => ofAgent !== undefined && writeDistinct(into, ofAgent))
  }
  writeVarint(writer, texts.size)
  for (const text of texts.keys()) writeText(writer, text)
  writeVarint(writer, sorted.length)
  for (const cell of sorted) {
    writeVarint(writer, agents.get(cell.agentId)!)
    for (const text of [cell.kind, cell.model, cell.tool]) writeVarint(writer, text === null ? 0 : texts.get(text)!)
    writeCounters(writer, cell.counters)
    writeSection(writer, scratch, (into) => writeDurations(into, cell.durations))
    writeSection(writer, scratch, (into) => writeDistinct(into, cell.traces))
    writeSection(writer, scratch, (into) => writeDistinct(into, cell.inputs))
  }
}

const byKey = (a: Cell, b: Cell): number =>
  byText(a.agentId, b.agentId) || byText(a.kind, b.kind) || byText(a.model, b.model) || byText(a.tool, b.tool)

function writeId(writer: ByteWriter, agentId: string): void {
  reserve(writer, idBytes)
  const length = writer.bytes.write(agentId.replaceAll('-', ''), writer.at, 'hex')
  if (length !== idBytes) throw new Error('an agent id is not a UUID')
  writer.at += length
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
  const key = { agentId: '', kind: 'other' as Kind, model: null as string | null, tool: null as string | null }
  for (let no = 0; no < count; no++) {
    const agentId = agents[readVarint(reader)]
    const kind = pick(texts, readVarint(reader))
    if (agentId === undefined || kind === null || !kindNames.has(kind))
      throw damaged('a cell refers to an unknown agent or kind')
    key.agentId = agentId
    key.kind = kind as Kind
    key.model = pick(texts, readVarint(reader))
    key.tool = pick(texts, readVarint(reader))
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

/** The text at a place that starts at 1; null at 0. */
function pick(texts: readonly string[], place: number): string | null {
  if (place === 0) return null
  const text = texts[place - 1]
  if (text === undefined) throw damaged('a cell refers to an unknown name')
  return text
}

function readList<T>(reader: ByteReader, leastBytes: number, read: (reader: ByteReader) => T): T[] {
  const count = readCount(reader, leastBytes)
  return Array.from({ length: count }, () => read(reader))
}

function readAgent(reader: ByteReader, sessionsFor: (agentId: string) => Distinct | null): string {
  const agentId = readId(reader)
  const sessions = sessionsFor(agentId)
  if (sessions === null) skipSection(reader)
  else readSection(reader, (section) => readDistinct(section, sessions))
  return agentId
}

function readId(reader: ByteReader): string {
  if (reader.end - reader.at < idBytes) throw damaged('the data ends too early')
  const hex = reader.bytes.toString('hex', reader.at, reader.at + idBytes)
  reader.at += idBytes
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
