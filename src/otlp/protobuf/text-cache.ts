// Caches short strings by their bytes: attribute keys and common values repeat in every span, so most need no decoding.
import { type ByteSource, hashBytes, isSameBytes, viewOf } from './plain-text.ts'

/** A direct-mapped cache that is kept across requests: a slot holds the bytes of a text, and the text. */
export type TextCache = {
  /** The request that texts are read from. */
  readonly source: Readonly<ByteSource>
  readonly kept: Uint8Array
  readonly keptView: DataView
  readonly lengths: Uint8Array
  readonly texts: string[]
  /** The hash of the last text of each slot: a text is cached at its second occurrence. Ids that occur once would become old garbage. */
  readonly met: Int32Array
}

/** Longer strings seldom repeat. */
export const maxCachedBytes = 64

const slots = 2_048

/** Opens a cache of 0.2 MB. */
export function openTextCache(source: Readonly<ByteSource>): TextCache {
  const kept = new Uint8Array(slots * maxCachedBytes)
  return {
    source,
    kept,
    keptView: viewOf(kept),
    lengths: new Uint8Array(slots),
    texts: Array.from<string>({ length: slots }).fill(''),
    met: new Int32Array(slots),
  }
}

/** Returns the hash that the other functions take, of the text at `start`, of 1 to `maxCachedBytes` bytes. */
export const hashOf = ({ source }: TextCache, start: number, length: number): number => hashBytes(source, start, length)

/** Returns the text at `start` if its slot holds it, else null. */
export function cachedText(cache: TextCache, hash: number, start: number, length: number): string | null {
  const slot = hash & (slots - 1)
  if (cache.lengths[slot] !== length) return null
  const isKnown = isSameBytes(cache.source.view, start, cache.keptView, slot * maxCachedBytes, length)
  return isKnown ? (cache.texts[slot] as string) : null
}

export function cacheText(cache: TextCache, hash: number, start: number, length: number, text: string): void {
  const { kept, met, source } = cache
  const slot = hash & (slots - 1)
  if (met[slot] !== hash) {
    met[slot] = hash
    return
  }
  const first = slot * maxCachedBytes
  for (let at = 0; at < length; at++) kept[first + at] = source.bytes[start + at] as number
  cache.lengths[slot] = length
  cache.texts[slot] = text
}

/** Returns the text of bytes that are known to be valid UTF-8 without U+0000. */
export function readKnownText(cache: TextCache, start: number, end: number): string {
  const length = end - start
  if (length === 0) return ''
  return length > maxCachedBytes
    ? cache.source.bytes.toString('utf8', start, end)
    : readShort(cache, start, length, 'utf8')
}

/** Returns the hex of an id of 1 to `maxCachedBytes` bytes. */
export const readIdText = (cache: TextCache, start: number, length: number): string =>
  readShort(cache, start, length, 'hex')

function readShort(cache: TextCache, start: number, length: number, encoding: 'utf8' | 'hex'): string {
  const hash = hashOf(cache, start, length)
  const known = cachedText(cache, hash, start, length)
  if (known !== null) return known
  const text = cache.source.bytes.toString(encoding, start, start + length)
  cacheText(cache, hash, start, length, text)
  return text
}
