// Hashes of ids: evenly distributed, even if the ids are not. The first 32 bits are MurmurHash3 (x86, 32 bits).

/** Returns a uint32. */
export function hash32(bytes: Uint8Array, offset = 0, length: number = bytes.length - offset): number {
  let h = 0
  const blocks = length >>> 2
  for (let i = 0; i < blocks; i++) {
    const p = offset + i * 4
    let k =
      (bytes[p] as number) |
      ((bytes[p + 1] as number) << 8) |
      ((bytes[p + 2] as number) << 16) |
      ((bytes[p + 3] as number) << 24)
    k = Math.imul(k, 0xcc9e2d51)
    k = (k << 15) | (k >>> 17)
    h ^= Math.imul(k, 0x1b873593)
    h = (h << 13) | (h >>> 19)
    h = (Math.imul(h, 5) + 0xe6546b64) | 0
  }
  let tail = 0
  for (let i = length - 1; i >= blocks * 4; i--) tail = (tail << 8) | (bytes[offset + i] as number)
  if ((length & 3) !== 0) {
    tail = Math.imul(tail, 0xcc9e2d51)
    tail = (tail << 15) | (tail >>> 17)
    h ^= Math.imul(tail, 0x1b873593)
  }
  return mix(h ^ length)
}

/** Returns a uint32 of the UTF-16 code units. It differs from `hash32` of the same text in UTF-8. */
export function hashText(text: string): number {
  let h = 0
  const pairs = text.length >>> 1
  for (let i = 0; i < pairs; i++) {
    let k = text.charCodeAt(i * 2) | (text.charCodeAt(i * 2 + 1) << 16)
    k = Math.imul(k, 0xcc9e2d51)
    k = (k << 15) | (k >>> 17)
    h ^= Math.imul(k, 0x1b873593)
    h = (h << 13) | (h >>> 19)
    h = (Math.imul(h, 5) + 0xe6546b64) | 0
  }
  if (text.length % 2 === 1) {
    let k = Math.imul(text.charCodeAt(text.length - 1), 0xcc9e2d51)
    k = (k << 15) | (k >>> 17)
    h ^= Math.imul(k, 0x1b873593)
  }
  return mix(h ^ (text.length * 2))
}

/**
 * Returns a whole number below 2^48: hash32, followed by 16 bits of another hash (FNV-1a). The chance that two of 100,000 ids share a hash
 * is 1 in 56,000. With hash32 alone it is more than one half.
 */
export function hash48(bytes: Uint8Array, offset = 0, length: number = bytes.length - offset): number {
  let h = fnvStart
  for (let i = offset; i < offset + length; i++) h = Math.imul(h ^ (bytes[i] as number), fnvPrime)
  return join(hash32(bytes, offset, length), h)
}

/** As `hash48`, but of the UTF-16 code units: hashText, followed by 16 more bits. */
export function hashText48(text: string): number {
  let h = fnvStart
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), fnvPrime)
  return join(hashText(text), h)
}

/** Returns the first 32 bits of a hash of 48 bits. */
export const shorten = (hash: number): number => (hash / bits16) >>> 0

const fnvStart = 0x811c9dc5
const fnvPrime = 0x01000193
const bits16 = 65_536

const join = (first: number, second: number): number => first * bits16 + (mix(second) >>> 16)

/** The murmur finalizer: every bit of the state reaches every bit of the hash. */
function mix(state: number): number {
  let h = state
  h ^= h >>> 16
  h = Math.imul(h, 0x85ebca6b)
  h ^= h >>> 13
  h = Math.imul(h, 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}
