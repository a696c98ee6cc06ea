// Attribute keys, each decoded once, and the sequences of keys that spans repeat, request after request.
import { hashBytes, isPlainText, isSameBytes, type Source, viewOf } from './plain-text.ts'

/** The attributes that spans of one instrumentation carry: the same keys in the same order. */
export type Shape = {
  readonly keyIds: readonly number[]
  readonly keys: readonly string[]
  /** Where the value of a key stands; fewer than keys where one is told twice. */
  readonly places: ReadonlyMap<string, number>
  /** By the id of each `Names` that was asked for, the places of those that are there. */
  readonly found: (readonly number[] | undefined)[]
  /** By content mode, whether its values alone can have to be changed; for who stores them. */
  readonly isPlain: { full?: boolean; redacted?: boolean }
}

/** Plain data: functions that are made anew with every request are compiled anew as well. */
export type KeyBook = {
  /** The request that keys are read from. */
  readonly source: Readonly<Source>
  readonly kept: Uint8Array
  readonly keptView: DataView
  readonly lengths: Uint8Array
  readonly texts: string[]
  readonly idsBySlot: Int16Array
  /** Keys come in the same order in span after span: what followed a key last is tried first. */
  readonly followers: Int16Array
  readonly shapes: Map<number, Shape>
}

export const maxKeyBytes = 127
const maxKeys = 1_024
/** Twice as many as keys, so that a search ends soon. */
const slots = 2 * maxKeys
const maxShapes = 1_024
/** A book that is fuller than this before a request is emptied: nobody else's keys make a request slower. */
const crowded = 512

/** A request with more keys or shapes than the book holds is only slower. 0.2 MB. */
export function openKeyBook(source: Readonly<Source>): KeyBook {
  const kept = new Uint8Array(maxKeys * maxKeyBytes)
  return {
    source,
    kept,
    keptView: viewOf(kept),
    lengths: new Uint8Array(maxKeys),
    texts: [],
    idsBySlot: new Int16Array(slots).fill(-1),
    followers: new Int16Array(maxKeys + 1),
    shapes: new Map(),
  }
}

/** To be called before a request. */
export function thinOut(book: KeyBook): void {
  if (book.texts.length <= crowded && book.shapes.size <= crowded) return
  book.texts.length = 0
  book.lengths.fill(0)
  book.idsBySlot.fill(-1)
  book.followers.fill(0)
  book.shapes.clear()
}

const isKey = ({ source, keptView, lengths }: KeyBook, id: number, start: number, length: number): boolean =>
  lengths[id] === length && isSameBytes(source.view, start, keptView, id * maxKeyBytes, length)

function add(book: KeyBook, slot: number, start: number, length: number): number {
  if (book.texts.length >= maxKeys || !isPlainText(book.source, start, start + length)) return -1
  const id = book.texts.push(book.source.bytes.toString('utf8', start, start + length)) - 1
  book.idsBySlot[slot] = id
  book.kept.set(book.source.bytes.subarray(start, start + length), id * maxKeyBytes)
  book.lengths[id] = length
  return id
}

function find(book: KeyBook, start: number, length: number): number {
  for (let slot = hashBytes(book.source, start, length) & (slots - 1); ; slot = (slot + 1) & (slots - 1)) {
    const id = book.idsBySlot[slot] as number
    if (id === -1) return add(book, slot, start, length)
    if (isKey(book, id, start, length)) return id
  }
}

/**
 * The number of the key at `start`, of 1 to `maxKeyBytes` bytes; −1 where it is no plain text or the book is full. `before`: that of
 * the key before it, or −1. About 20 ns.
 */
export function keyIdOf(book: KeyBook, start: number, length: number, before: number): number {
  const expected = book.followers[before + 1] as number
  if (isKey(book, expected, start, length)) return expected
  const id = find(book, start, length)
  if (id !== -1) book.followers[before + 1] = id
  return id
}

/** The shape of the first `count` of these keys; null where there are too many shapes to remember. */
export function shapeOf({ texts, shapes }: KeyBook, keyIds: readonly number[], count: number): Shape | null {
  let hash = count
  for (let at = 0; at < count; at++) hash = (Math.imul(hash, 31) + (keyIds[at] as number)) | 0
  const known = shapes.get(hash)
  if (known !== undefined && isSame(known.keyIds, keyIds, count)) return known
  if (shapes.size >= maxShapes) return null
  const ids = keyIds.slice(0, count)
  const keys = ids.map((id) => texts[id] as string)
  const places = new Map(keys.map((key, place) => [key, place]))
  const shape: Shape = { keyIds: ids, keys, places, found: [], isPlain: {} }
  shapes.set(hash, shape)
  return shape
}

function isSame(left: readonly number[], right: readonly number[], count: number): boolean {
  if (left.length !== count) return false
  for (let at = 0; at < count; at++) if (left[at] !== right[at]) return false
  return true
}
