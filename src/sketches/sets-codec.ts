// Encodes the sets of a bucket. The keys of the cells come first, for readers that do not read the encoded cells themselves. Then, for each
// set, follow its members and the subset of them that each cell (for sessions: each agent) has seen.
import { kinds } from '../event/event.ts'
import {
  type ByteReader,
  damaged,
  expectEnd,
  openReader,
  readByte,
  readCount,
  readText,
  readVarint,
  readVersion,
  skipSection,
} from './byte-reader.ts'
import { type ByteWriter, writeSection, writeText, writeVarint } from './byte-writer.ts'
import { type CellKey, type Cells, maxCells, sessionMembersOf } from './cell.ts'
import { fillKey, idBytes, type Layout, makeCellKey, readId, readList, writeId, writeKey } from './cell-keys-codec.ts'
import type { Owners } from './cells-codec.ts'
import type { Members } from './members.ts'
import { readMembers, writeMembers } from './members-codec.ts'
import { addNumber, type NumberSet } from './number-set.ts'
import {
  addMembers,
  boundSets,
  dropMembers,
  type KnownSets,
  type SetName,
  type Sets,
  type SetsOwner,
  setNames,
} from './sets.ts'
import { readSubset, writeSubset } from './subset-codec.ts'

export const setsVersion = 1

/**
 * `layout` is that of the cells, which cells-codec writes. The same sets give the same bytes, in whatever order they were added up. Their
 * members must be sorted.
 */
export function writeSets(
  writer: ByteWriter,
  scratch: ByteWriter,
  { cells, sets }: { readonly cells: Cells; readonly sets: Sets },
  layout: Layout,
): void {
  writeVarint(writer, setsVersion)
  writeVarint(writer, maskOf(setNames.filter((name) => typeof sets[name] !== 'string')))
  writeSection(writer, scratch, (into) => {
    writeVarint(into, layout.agents.size)
    for (const agentId of layout.agents.keys()) writeId(into, agentId)
    writeVarint(into, layout.texts.size)
    for (const text of layout.texts.keys()) writeText(into, text)
    writeVarint(into, layout.cells.length)
    for (const cell of layout.cells) writeKey(into, layout, cell)
  })
  for (const name of setNames) {
    const members = sets[name]
    if (typeof members === 'string') continue
    const subsets =
      name === 'sessions'
        ? [...layout.agents.keys()].map((agentId) => cells.sessionMembers.get(agentId) ?? [])
        : layout.cells.map((cell) => cell.members[name])
    writeSection(writer, scratch, (into) => writeSet(into, members, subsets))
  }
}

/** Returns the present sets as bits. */
const maskOf = (names: readonly SetName[]): number =>
  names.reduce((mask, name) => mask | (1 << setNames.indexOf(name)), 0)

/** `subsets` are those of the cells or agents, in their order. */
function writeSet(writer: ByteWriter, { hashes }: Members, subsets: readonly NumberSet[]): void {
  writeMembers(writer, hashes)
  let next = 0
  for (const [owner, subset] of subsets.entries()) {
    if (subset.length === 0) continue
    writeVarint(writer, owner - next)
    writeSubset(writer, subset, hashes.length)
    next = owner + 1
  }
}

/** Returns whether the bytes contain all of these sets. A set is left out if it has too many members. */
export function hasSets(bytes: Uint8Array, names: readonly SetName[]): boolean {
  const mask = maskOf(names)
  return (readHead(openReader(bytes)) & mask) === mask
}

function readHead(reader: ByteReader): number {
  readVersion(reader, setsVersion)
  return readByte(reader)
}

/** Written sets whose members and subsets are not read yet. Null: too many members. */
export type Sections = Readonly<Record<SetName, ByteReader | null>>

export type StoredSets = {
  readonly agents: readonly string[]
  readonly cells: readonly CellKey[]
  readonly sections: Sections
}

/** Reads the keys of agents and cells and opens the sets. Throws where the bytes are invalid. */
export function openSets(bytes: Uint8Array): StoredSets {
  const reader = openReader(bytes)
  const mask = readHead(reader)
  const keys = openSection(reader)
  const agents = readList(keys, idBytes, readId)
  const texts = readList(keys, 1, readText)
  const count = readCount(keys, 4)
  // Beyond `maxCells` there is one more cell at most for each agent and kind.
  if (count > maxCells + agents.length * kinds.length) throw damaged('too many cells')
  const cells = Array.from({ length: count }, () => {
    const key = makeCellKey()
    fillKey(key, keys, agents, texts)
    return key
  })
  expectEnd(keys)
  return { agents, cells, sections: openSections(reader, mask) }
}

function openSections(reader: ByteReader, mask: number): Sections {
  const [traces = null, sessions = null, inputs = null] = setNames.map((_name, at) =>
    (mask & (1 << at)) === 0 ? null : openSection(reader),
  )
  expectEnd(reader)
  return { traces, sessions, inputs }
}

function openSection(reader: ByteReader): ByteReader {
  const length = readCount(reader)
  const { bytes, at } = reader
  reader.at += length
  return { bytes, at, end: reader.at }
}

/**
 * Calls `take` with the index of each cell or agent that has a subset, and the indexes of the subset's members, of which the set has
 * `members`. The list is one array that is refilled for each call.
 */
export function eachSubset(
  section: ByteReader,
  members: number,
  owners: number,
  take: (owner: number, places: readonly number[]) => void,
): void {
  const places: number[] = []
  let next = 0
  while (section.at < section.end) {
    const owner = next + readVarint(section)
    if (owner >= owners) throw damaged('a set refers to an unknown cell or agent')
    readSubset(section, members, places)
    take(owner, places)
    next = owner + 1
  }
}

/**
 * Returns which sets of a bucket stay known when the written sets are added (`bytes` null: unknown). The other sets of the bucket become
 * sketches, to which the caller has to add the written sketches.
 */
export function keepKnown(into: SetsOwner, bytes: Uint8Array | null): KnownSets {
  const mask = bytes === null ? 0 : readHead(openReader(bytes))
  const keep = (name: SetName, bit: number): boolean => {
    if ((mask & bit) === 0) dropMembers(into, name, bytes === null ? 'unknown' : 'many')
    return typeof into.sets[name] !== 'string'
  }
  return { traces: keep('traces', 1), sessions: keep('sessions', 2), inputs: keep('inputs', 4) }
}

/** Adds the written sets that stay known. `owners` are the cells and agents from cells-codec. Throws where the bytes are invalid. */
export function mergeSets(into: SetsOwner, bytes: Uint8Array, kept: KnownSets, owners: Owners): void {
  const reader = openReader(bytes)
  const mask = readHead(reader)
  skipSection(reader)
  const sections = openSections(reader, mask)
  for (const name of setNames) {
    const section = sections[name]
    const members = into.sets[name]
    if (!kept[name] || section === null || typeof members === 'string') continue
    const hashes = readMembers(section)
    const numbers = addMembers(members, hashes)
    const count = name === 'sessions' ? owners.agents.length : owners.cells.length
    eachSubset(section, hashes.length, count, (owner, places) => {
      const subset = subsetOf(into.cells, owners, name, owner)
      for (const place of places) addNumber(subset, numbers[place]!)
    })
  }
  boundSets(into)
}

const subsetOf = (cells: Cells, owners: Owners, name: SetName, owner: number): NumberSet =>
  name === 'sessions' ? sessionMembersOf(cells, owners.agents[owner]!) : owners.cells[owner]!.members[name]
