// Digests of encoded bytes, to be compared in their place: ava compares buffers byte by byte through the names of their properties, which takes
// a second for a megabyte.
import { hash } from 'node:crypto'

type Bytes = Uint8Array | null | readonly Bytes[] | { readonly [name: string]: Bytes }

/** Returns the digests of the same structure, with the members of an object in their order. */
export function digests(bytes: Bytes): unknown {
  if (bytes === null) return null
  return bytes instanceof Uint8Array ? hash('sha256', bytes) : Object.values(bytes).map(digests)
}
