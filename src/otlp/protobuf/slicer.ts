// What reading attributes as slices needs: the request, the caches of a thread, and the attributes of the span that is being read.
import { AttributeSlices } from './attribute-slices.ts'
import { type KeyBook, openKeyBook, thinOut } from './key-book.ts'
import { type ByteSource, openSource, viewOf } from './plain-text.ts'
import { openTextCache, type TextCache } from './text-cache.ts'

export type Slicer = {
  /** The request that is being read. */
  readonly source: ByteSource
  readonly keys: KeyBook
  readonly ids: TextCache
  /** The attributes of the span that is being read, or was read last. */
  readonly attributes: AttributeSlices
  /** The ids of their keys; the first `attributes.size` are valid. */
  readonly keyIds: number[]
}

/** Opens a slicer for any number of requests, one after the other. They share its caches of keys and common values. */
export function openSlicer(): Slicer {
  const source = openSource(Buffer.alloc(0))
  return {
    source,
    keys: openKeyBook(source),
    ids: openTextCache(source),
    attributes: new AttributeSlices(openTextCache(source)),
    keyIds: [],
  }
}

/** Call it before a request with its bytes, and after the request with no bytes. */
export function aimSlicer({ source, keys, attributes }: Slicer, bytes: Buffer): void {
  thinOut(keys)
  source.bytes = bytes
  source.view = viewOf(bytes)
  attributes.size = 0
  // Values may be large: releases them.
  attributes.values.fill(undefined)
}

/** Removes the attributes of the previous span. */
export function clearSlices({ attributes }: Slicer): void {
  attributes.size = 0
}
