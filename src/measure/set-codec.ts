// Floor 1. A set of a bucket as bytes: its members by their hashes, ascending, and of each cell which of them it has seen.
import { kinds } from '../event/event.ts'
import {
  type ByteReader,
  damaged,
  expectEnd,
  openReader,
  readByte,
  readCount,
  readText,
} from './byte-reader.ts'
import { type ByteWriter, openWriter, reserve, writeText, writeVarint, written } from './byte-writer.ts'
import { type Cell, type CellKey, cellOf, maxCells } from './cell.ts'
import { byKey, fillKey, idBytes, makeKey, placeNames, readId, readList, writeId, writeKey } from './cell-keys-codec.ts'
import { type Members, numberOf, type SetName } from './members.ts'
import { addNumber } from './number-set.ts'
import { addAbsence, addMembers, type CellsAndSets, type Sets } from './sets.ts'
import { readSubset, writeSubset } from './subset-codec.ts'

const version = 1
const hashBytes = 6
const bits16 = 65_536

/**
 * Null where the set is unknown, and no bytes where it has too many members. The same set gives the same bytes, in whatever order it was
 * added up.
 */
export function encodeSet(sets: Sets, name: SetName, cells: readonly Cell[]): Buffer | null {
  const members = sets[name]
  if (members === 'unknown') return null
  if (members === 'many') return Buffer.alloc(0)
  const { size } = members
  const sorted = members.hashes.slice(0, size).sort()
  const writer = openWriter(256 + size * hashBytes * 2)
  writeVarint(writer, version)
  writeVarint(writer, size)
  writeHashes(writer, sorted)
  const listed = cells.filter((cell) => cell.members[name].length > 0).sort(byKey)
  const keys = placeNames(listed)
  writeVarint(writer, keys.agents.size)
  for (const agentId of keys.agents.keys()) writeId(writer, agentId)
  writeVarint(writer, keys.texts.size)
  for (const text of keys.texts.keys()) writeText(writer, text)
  writeVarint(writer, listed.length)
  const places = placeMembers(members, sorted)
  const bits = new Uint8Array(Math.ceil(size / 8))
  for (const cell of listed) {
    writeKey(writer, keys, cell)
    writeSubset(writer, bits, cell.members[name], places)
  }
  return written(writer)
}

/** By the number of a member, where it stands in the order. */
function placeMembers(members: Members, sorted: Float64Array): Int32Array {
  const places = new Int32Array(sorted.length)
  for (let place = 0; place < sorted.length; place++) places[numberOf(members, sorted[place]!)] = place
  return places
}

function writeHashes(writer: ByteWriter, sorted: Float64Array): void {
  reserve(writer, sorted.length * hashBytes)
  const { bytes } = writer
  for (const hash of sorted) {
    const high = Math.floor(hash / bits16)
    const low = hash - high * bits16
    bytes[writer.at] = high >>> 24
    bytes[writer.at + 1] = high >>> 16
    bytes[writer.at + 2] = high >>> 8
    bytes[writer.at + 3] = high
    bytes[writer.at + 4] = low >>> 8
    bytes[writer.at + 5] = low
    writer.at += hashBytes
  }
}

/** A written set of which the members are read; behind them come the subsets of its cells. */
export type StoredSet = { readonly hashes: Float64Array<ArrayBuffer>; readonly rest: ByteReader }

/** Throws where the bytes are none. */
export function openSet(bytes: Uint8Array): StoredSet {
  const reader = openReader(bytes)
  if (readByte(reader) !== version) throw damaged('unknown version')
  const size = readCount(reader, hashBytes)
  const hashes = new Float64Array(size)
  let last = -1
  for (let place = 0; place < size; place++) {
    const hash = reader.bytes.readUInt32BE(reader.at) * bits16 + reader.bytes.readUInt16BE(reader.at + 4)
    if (hash <= last) throw damaged('the hashes of a set are not sorted')
    hashes[place] = hash
    last = hash
    reader.at += hashBytes
  }
  return { hashes, rest: reader }
}

/**
 * Gives the subset of each cell that `choose` gives something for: where its members stand among the hashes. The key and the list of
 * places are one record each, filled again for each cell.
 */
export function eachSubset<Into>(
  { hashes, rest: reader }: StoredSet,
  choose: (key: CellKey) => Into | null,
  take: (into: Into, places: Uint32Array, count: number) => void,
): void {
  const agents = readList(reader, idBytes, readId)
  const texts = readList(reader, 1, readText)
  const cells = readCount(reader, 5)
  // Beyond the bound there is one cell for each agent and kind.
  if (cells > maxCells + agents.length * kinds.length) throw damaged('too many cells')
  const key = makeKey()
  const places = new Uint32Array(hashes.length)
  for (let no = 0; no < cells; no++) {
    fillKey(key, reader, agents, texts)
    const into = choose(key)
    const count = readSubset(reader, places)
    if (into !== null) take(into, places, count)
  }
  expectEnd(reader)
}

/** Adds a written set to that of a bucket; null: unknown. Throws where the bytes are none. */
export function mergeSet(into: CellsAndSets, name: SetName, bytes: Uint8Array | null): void {
  const { cells, sets } = into
  if (bytes === null || bytes.length === 0) addAbsence(sets, name, bytes === null ? 'unknown' : 'many')
  if (bytes === null || typeof sets[name] === 'string') return
  const stored = openSet(bytes)
  const numbers = addMembers(into, name, stored.hashes, stored.hashes.length)
  if (numbers === null) return
  eachSubset(
    stored,
    (key) => cellOf(cells, key).members[name],
    (subset, places, count) => {
      for (let at = 0; at < count; at++) addNumber(subset, numbers[places[at]!]!)
    },
  )
}
