// Floor 1. The attribute keys of one request, each decoded once, and the sequences of keys that its spans repeat.
import { slotHash } from './text-cache.ts'

/** The attributes that spans of one instrumentation carry: the same keys in the same order. */
export type Shape = {
  readonly keyIds: readonly number[]
  readonly keys: readonly string[]
  /** Where the value of a key stands; fewer than keys where one is told twice. */
  readonly places: ReadonlyMap<string, number>
  /** What `among` found for each list of names that was asked for: the lists are constants of the conventions, so there are few. */
  readonly found: Map<readonly string[], readonly string[]>
}

export type KeyBook = {
  /** The number of the key at `start`, from 0; −1 where the book is full. `before`: that of the key before it, or −1. About 20 ns. */
  idOf(start: number, length: number, before: number): number
  textOf(id: number): string
  /** The shape of the first `count` of these keys; null where there are too many shapes to remember. */
  shapeOf(keyIds: readonly number[], count: number): Shape | null
}

const maxKeys = 1_024
/** Twice as many as keys, so that a search ends soon. */
const slots = 2 * maxKeys
const maxShapes = 1_024

/** For keys that stand in `bytes`, which must be valid UTF-8 there. A request with more keys or shapes than it holds is only slower. */
export function openKeyBook(bytes: Buffer): KeyBook {
  const idsBySlot = new Int16Array(slots).fill(-1)
  const starts = new Int32Array(maxKeys)
  const lengths = new Int32Array(maxKeys)
  const texts: string[] = []
  // Keys come in the same order in span after span: what followed a key last is tried first.
  const followers = new Int16Array(maxKeys + 1)
  const shapes = new Map<number, Shape>()

  function isKey(id: number, start: number, length: number): boolean {
    if (lengths[id] !== length) return false
    const known = starts[id] as number
    for (let at = length - 1; at >= 0; at--) if (bytes[known + at] !== bytes[start + at]) return false
    return true
  }

  function add(slot: number, start: number, length: number): number {
    if (texts.length >= maxKeys) return -1
    const id = texts.push(bytes.toString('utf8', start, start + length)) - 1
    idsBySlot[slot] = id
    starts[id] = start
    lengths[id] = length
    return id
  }

  function find(start: number, length: number): number {
    for (let slot = slotHash(bytes, start, length) & (slots - 1); ; slot = (slot + 1) & (slots - 1)) {
      const id = idsBySlot[slot] as number
      if (id === -1) return add(slot, start, length)
      if (isKey(id, start, length)) return id
    }
  }

  return {
    idOf(start, length, before) {
      const expected = followers[before + 1] as number
      if (isKey(expected, start, length)) return expected
      const id = find(start, length)
      if (id !== -1) followers[before + 1] = id
      return id
    },
    textOf: (id) => texts[id] as string,
    shapeOf(keyIds, count) {
      let hash = count
      for (let at = 0; at < count; at++) hash = (Math.imul(hash, 31) + (keyIds[at] as number)) | 0
      const known = shapes.get(hash)
      if (known !== undefined && isSame(known.keyIds, keyIds, count)) return known
      if (shapes.size >= maxShapes) return null
      const ids = keyIds.slice(0, count)
      const keys = ids.map((id) => texts[id] as string)
      const places = new Map(keys.map((key, place) => [key, place]))
      const shape: Shape = { keyIds: ids, keys, places, found: new Map() }
      shapes.set(hash, shape)
      return shape
    },
  }
}

function isSame(left: readonly number[], right: readonly number[], count: number): boolean {
  if (left.length !== count) return false
  for (let at = 0; at < count; at++) if (left[at] !== right[at]) return false
  return true
}
