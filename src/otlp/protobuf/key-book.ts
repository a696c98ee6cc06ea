// Caches attribute keys, so that each is decoded once, and the sequences of keys that spans repeat, across requests.
import { type ByteSource, hashBytes, isPlainText, isSameBytes, viewOf } from './plain-text.ts'

/** A sequence of attribute keys. The spans of one instrumentation carry the same keys in the same order. */
export type Shape = {
  readonly keyIds: readonly number[]
  readonly keys: readonly string[]
  /** The index of the value of each key. It has fewer entries than `keys` if a key occurs twice. */
  readonly places: ReadonlyMap<string, number>
  /** By the id of each `Names` that was looked up, the indexes of the names that are present. */
  readonly found: (readonly number[] | undefined)[]
  /** By content mode, whether no key requires a change, so that only values can. The payload encoder fills it. */
  readonly isPlain: { full?: boolean; redacted?: boolean }
}

/** Plain data without closures: functions that are created for every request are also compiled for every request. */
export type KeyBook = {
  /** The request that keys are read from. */
  readonly source: Readonly<ByteSource>
  readonly kept: Uint8Array
  readonly keptView: DataView
  readonly lengths: Uint8Array
  readonly texts: string[]
  readonly idsBySlot: Int16Array
  /** By key id + 1, the id of the key that followed it last. It is tried first, since keys mostly have the same order in each span. */
  readonly followers: Int16Array
  readonly shapes: Map<number, Shape>
}

export const maxKeyBytes = 127
const maxKeys = 1_024
/** Twice the number of keys, so that searches are short. */
const slots = 2 * maxKeys
const maxShapes = 1_024
/** A book with more keys or shapes is emptied before a request, so that the keys of other senders do not slow it down. */
const crowded = 512

/** Opens a book of 0.2 MB. A request with more keys or shapes than it holds is read correctly, only more slowly. */
export function openKeyBook(source: Readonly<ByteSource>): KeyBook {
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

/** Call it before each request. */
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
 * Returns the id of the key at `start`, of 1 to `maxKeyBytes` bytes; −1 if it is not plain text or the book is full. `before` is the id of
 * the preceding key, or −1. About 20 ns.
 */
export function keyIdOf(book: KeyBook, start: number, length: number, before: number): number {
  const expected = book.followers[before + 1] as number
  if (isKey(book, expected, start, length)) return expected
  const id = find(book, start, length)
  if (id !== -1) book.followers[before + 1] = id
  return id
}

/** Returns the shape of the first `count` of these keys; null if the book has no room for another shape. */
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
