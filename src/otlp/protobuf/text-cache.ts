// Short strings by their bytes: attribute keys and common values repeat in every span, so most need no decoding.
import { hashBytes, isSameBytes, type Source, viewOf } from './plain-text.ts'

/** A direct-mapped cache, request after request: a slot holds the bytes of a text, and the text. */
export type TextCache = {
  /** The request that texts are read from. */
  readonly source: Readonly<Source>
  readonly kept: Uint8Array
  readonly keptView: DataView
  readonly lengths: Uint8Array
  readonly texts: string[]
  /** The hash of what a slot met last: a text is kept when it is met again. Ids that are met once would only be garbage grown old. */
  readonly met: Int32Array
}

/** Longer strings seldom repeat. */
export const maxCachedBytes = 64

const slots = 2_048

/** 0.2 MB. */
export function openTextCache(source: Readonly<Source>): TextCache {
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

/** For the text at `start`, of 1 to `maxCachedBytes` bytes; what the other functions want to know of it. */
export const hashOf = ({ source }: TextCache, start: number, length: number): number => hashBytes(source, start, length)

/** The text at `start` where it is the one that its slot holds, else null. */
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

/** The text of bytes that are known to be valid UTF-8 without U+0000. */
export function readKnownText(cache: TextCache, start: number, end: number): string {
  const length = end - start
  if (length === 0) return ''
  return length > maxCachedBytes
    ? cache.source.bytes.toString('utf8', start, end)
    : readShort(cache, start, length, 'utf8')
}

/** The hex of an id; `length` is from 1 to `maxCachedBytes`. */
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
