// Encodes the keys of cells: agents and names are written once, and a key consists of their indexes.
import { type Kind, kinds } from '../event/event.ts'
import { type ByteReader, damaged, readCount, readVarint } from './byte-reader.ts'
import { type ByteWriter, reserve, writeVarint } from './byte-writer.ts'
import type { Cell, CellKey } from './cell.ts'
import { byText } from './total-codec.ts'

export const idBytes = 16
const kindNames: ReadonlySet<string> = new Set(kinds)

/** Orders cells by key, so that the bytes do not depend on the order in which cells were made. */
const byKey = (a: CellKey, b: CellKey): number =>
  byText(a.agentId, b.agentId) || byText(a.kind, b.kind) || byText(a.model, b.model) || byText(a.tool, b.tool)

/** Cells in the order in which they are written, and the indexes of their agents (from 0) and texts (from 1). */
export type Layout = {
  readonly cells: readonly Cell[]
  readonly agents: ReadonlyMap<string, number>
  readonly texts: ReadonlyMap<string, number>
}

export function layOut(list: readonly Cell[]): Layout {
  const cells = [...list].sort(byKey)
  const agents = new Map<string, number>()
  const texts = new Map<string, number>()
  for (const { agentId, kind, model, tool } of cells) {
    if (!agents.has(agentId)) agents.set(agentId, agents.size)
    for (const text of [kind, model, tool]) if (text !== null && !texts.has(text)) texts.set(text, texts.size + 1)
  }
  return { cells, agents, texts }
}

export function writeKey(writer: ByteWriter, { agents, texts }: Layout, key: CellKey): void {
  writeVarint(writer, agents.get(key.agentId)!)
  for (const text of [key.kind, key.model, key.tool]) writeVarint(writer, text === null ? 0 : texts.get(text)!)
}

/** Returns a record for `fillKey`. */
export const makeCellKey = (): { -readonly [Name in keyof CellKey]: CellKey[Name] } => ({
  agentId: '',
  kind: 'other',
  model: null,
  tool: null,
})

export function fillKey(
  key: ReturnType<typeof makeCellKey>,
  reader: ByteReader,
  agents: readonly string[],
  texts: readonly string[],
): void {
  const agentId = agents[readVarint(reader)]
  const kind = pick(texts, readVarint(reader))
  if (agentId === undefined || kind === null || !kindNames.has(kind))
    throw damaged('a cell refers to an unknown agent or kind')
  key.agentId = agentId
  key.kind = kind as Kind
  key.model = pick(texts, readVarint(reader))
  key.tool = pick(texts, readVarint(reader))
}

/** Returns the text at an index that starts at 1; null at 0. */
function pick(texts: readonly string[], place: number): string | null {
  if (place === 0) return null
  const text = texts[place - 1]
  if (text === undefined) throw damaged('a cell refers to an unknown name')
  return text
}

export function writeId(writer: ByteWriter, agentId: string): void {
  reserve(writer, idBytes)
  const length = writer.bytes.write(agentId.replaceAll('-', ''), writer.at, 'hex')
  if (length !== idBytes) throw new Error('an agent id is not a UUID')
  writer.at += length
}

export function readId(reader: ByteReader): string {
  if (reader.end - reader.at < idBytes) throw damaged('the data ends too early')
  const hex = reader.bytes.toString('hex', reader.at, reader.at + idBytes)
  reader.at += idBytes
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

export function readList<T>(reader: ByteReader, leastBytes: number, read: (reader: ByteReader) => T): T[] {
  const count = readCount(reader, leastBytes)
  return Array.from({ length: count }, () => read(reader))
}
