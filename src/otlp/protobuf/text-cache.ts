// Floor 1. Short strings by their bytes: attribute keys and common values repeat in every span, so most need no decoding.
import { isSameBytes, type Source, viewOf } from './plain-text.ts'

/** A direct-mapped cache, request after request: a slot holds the bytes of the text that it met last, and the text. */
export type TextCache = {
  /** The request that texts are read from. */
  readonly source: Readonly<Source>
  readonly kept: Uint8Array
  readonly keptView: DataView
  readonly lengths: Uint8Array
  readonly texts: string[]
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
  }
}

/** The slot for the text at `start`; `length` is from 1 to `maxCachedBytes`. */
export const slotOf = ({ source }: TextCache, start: number, length: number): number =>
  slotHash(source.bytes, start, length) & (slots - 1)

/** A few bytes of a text, mixed: 32 bits, signed. */
export function slotHash(bytes: Uint8Array, start: number, length: number): number {
  const end = start + length
  let hash = length
  // The ends of dotted names tell them apart sooner than their beginnings.
  for (let at = Math.max(start, end - 12); at < end; at++) hash = (hash * 31 + (bytes[at] as number)) | 0
  hash = (hash * 31 + (bytes[start + (length >> 1)] as number)) | 0
  return hash ^ (hash >>> 11)
}

/** The text of the slot where it is the one at `start`, else null. */
export function cachedText(cache: TextCache, slot: number, start: number, length: number): string | null {
  if (cache.lengths[slot] !== length) return null
  const isKnown = isSameBytes(cache.source.view, start, cache.keptView, slot * maxCachedBytes, length)
  return isKnown ? (cache.texts[slot] as string) : null
}

export function cacheText(cache: TextCache, slot: number, start: number, length: number, text: string): void {
  const { kept, source } = cache
  const { bytes } = source
  const first = slot * maxCachedBytes
  for (let at = 0; at < length; at++) kept[first + at] = bytes[start + at] as number
  cache.lengths[slot] = length
  cache.texts[slot] = text
}

/** The text of bytes that are known to be valid UTF-8 without U+0000. */
export function readKnownText(cache: TextCache, start: number, end: number): string {
  const length = end - start
  if (length === 0) return ''
  if (length > maxCachedBytes) return cache.source.bytes.toString('utf8', start, end)
  const slot = slotOf(cache, start, length)
  const known = cachedText(cache, slot, start, length)
  if (known !== null) return known
  const text = cache.source.bytes.toString('utf8', start, end)
  cacheText(cache, slot, start, length, text)
  return text
}

/** The hex of an id: those of traces and parents repeat. `keep` where it may be met again. */
export function readIdText(cache: TextCache, start: number, length: number, keep: boolean): string {
  const slot = slotOf(cache, start, length)
  const known = cachedText(cache, slot, start, length)
  if (known !== null) return known
  const text = cache.source.bytes.toString('hex', start, start + length)
  if (keep) cacheText(cache, slot, start, length, text)
  return text
}
