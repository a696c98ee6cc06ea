// Encodes the cells of a bucket: names are written once, and each part of a cell follows its length, so that it can be skipped.
import { kinds } from '../event/event.ts'
import type { Bucket } from './bucket.ts'
import {
  type ByteReader,
  damaged,
  expectEnd,
  openReader,
  readCount,
  readSection,
  readText,
  readVersion,
  skipSection,
} from './byte-reader.ts'
import { type ByteWriter, openWriter, writeSection, writeText, writeVarint, written } from './byte-writer.ts'
import {
  type Cell,
  type CellKey,
  type CellSums,
  type Cells,
  cellOf,
  cellPrecision,
  maxCells,
  sessionsOf,
} from './cell.ts'
import {
  fillKey,
  idBytes,
  type Layout,
  layOut,
  makeCellKey,
  readId,
  readList,
  writeId,
  writeKey,
} from './cell-keys-codec.ts'
import { areZero, makeCounters } from './counters.ts'
import { type Distinct, isEmptyDistinct } from './distinct.ts'
import { readDistinct, writeDistinct, writeSketch } from './distinct-codec.ts'
import { isEmptyDurations } from './durations.ts'
import { readDurations, writeDurations } from './durations-codec.ts'
import { shorten } from './hash.ts'
import { listNumbers, type NumberSet } from './number-set.ts'
import { type KnownSets, noneKnown, type SetName, type Sets, sortSets } from './sets.ts'
import { readCounters, writeCounters } from './total-codec.ts'

export const cellsVersion = 1

/** Encodes the cells of a complete interval. A cell without events is left out, whatever its sets contain. */
export function encodeCells(bucket: Pick<Bucket, 'cells' | 'sets'>, layout = layOutCells(bucket.cells)): Buffer {
  sortSets(bucket)
  const writer = openWriter(4_096)
  writeCells(writer, openWriter(), bucket, layout)
  return written(writer)
}

/** Returns the layout of the cells of a complete interval: those that have events. */
export const layOutCells = ({ list }: Cells): Layout => layOut(list.filter(hasEvents))

/** Returns the layout of the cells of a difference: also those that gained traces while their events add up to nothing. */
export const layOutChanged = ({ list }: Cells): Layout =>
  layOut(list.filter((cell) => hasEvents(cell) || cell.members.traces.length > 0 || !isEmptyDistinct(cell.traces)))

const hasEvents = (cell: Cell): boolean => !areZero(cell.counters) || !isEmptyDurations(cell.durations)

/** The same cells give the same bytes, in whatever order they were made, and whether their sets are known or not. The sets must be sorted. */
export function writeCells(
  writer: ByteWriter,
  scratch: ByteWriter,
  { cells: { sessions, sessionMembers }, sets }: { readonly cells: Cells; readonly sets: Sets },
  layout: Layout,
): void {
  const hashes: number[] = []
  const writeSet = (into: ByteWriter, name: SetName, subset: NumberSet, sketch: Distinct | undefined): void => {
    const members = sets[name]
    if (typeof members === 'string') {
      if (sketch !== undefined) writeDistinct(into, sketch)
      return
    }
    listNumbers(subset, hashes)
    for (let at = 0; at < hashes.length; at++) hashes[at] = shorten(members.hashes[hashes[at]!]!)
    writeSketch(into, cellPrecision, hashes)
  }
  writeVarint(writer, cellsVersion)
  writeVarint(writer, layout.agents.size)
  for (const agentId of layout.agents.keys()) {
    writeId(writer, agentId)
    const subset = sessionMembers.get(agentId) ?? []
    writeSection(writer, scratch, (into) => writeSet(into, 'sessions', subset, sessions.get(agentId)))
  }
  writeVarint(writer, layout.texts.size)
  for (const text of layout.texts.keys()) writeText(writer, text)
  writeVarint(writer, layout.cells.length)
  for (const cell of layout.cells) {
    writeKey(writer, layout, cell)
    writeCounters(writer, cell.counters)
    writeSection(writer, scratch, (into) => writeDurations(into, cell.durations))
    writeSection(writer, scratch, (into) => writeSet(into, 'traces', cell.members.traces, cell.traces))
    writeSection(writer, scratch, (into) => writeSet(into, 'inputs', cell.members.inputs, cell.inputs))
  }
}

/** Which parts of a cell are read, besides its counters. */
export type CellParts = { readonly durations: boolean; readonly traces: boolean; readonly inputs: boolean }

/** The agents and cells that the data was added to, in the order in which they are written. */
export type Owners = { readonly agents: readonly string[]; readonly cells: readonly Cell[] }

/** Adds written cells to those of a bucket, except for the sketches of known sets. Throws where the bytes are invalid. */
export function mergeCells(into: Cells, bytes: Uint8Array, known: KnownSets = noneKnown): Owners {
  const reader = openReader(bytes)
  const owners = readAllCells(reader, into, known)
  expectEnd(reader)
  return owners
}

export function readAllCells(reader: ByteReader, into: Cells, known: KnownSets): Owners {
  const agents: string[] = []
  const cells: Cell[] = []
  readCells(
    reader,
    { durations: true, traces: !known.traces, inputs: !known.inputs },
    (key) => {
      const cell = cellOf(into, key)
      cells.push(cell)
      return cell
    },
    (agentId) => {
      agents.push(agentId)
      return known.sessions ? null : sessionsOf(into, agentId)
    },
  )
  return { agents, cells }
}

/**
 * Adds each written cell to the sums that `choose` returns for its key, and skips the cells for which it returns null. The key is one
 * record that is refilled for each cell. `sessionsFor` does the same for the sessions of agents.
 */
export function readCells(
  reader: ByteReader,
  parts: CellParts,
  choose: (key: CellKey) => CellSums | null,
  sessionsFor: (agentId: string) => Distinct | null,
): void {
  readVersion(reader, cellsVersion)
  const agents = readList(reader, idBytes + 1, (from) => readAgent(from, sessionsFor))
  const texts = readList(reader, 1, readText)
  const count = readCount(reader, 8)
  // Beyond `maxCells` there is one more cell at most for each agent and kind.
  if (count > maxCells + agents.length * kinds.length) throw damaged('too many cells')
  const skipped = makeCounters()
  const key = makeCellKey()
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
