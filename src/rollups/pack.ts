// Floor 3. Many byte strings as one parameter of a statement: an array of them would be sent as text, twice as long.

export type Packed = {
  readonly bytes: Buffer
  /** Where each begins, counted from 1 as SQL does. */
  readonly starts: readonly number[]
  readonly lengths: readonly number[]
}

export function pack(parts: readonly Uint8Array[]): Packed {
  const starts: number[] = []
  let at = 1
  for (const part of parts) {
    starts.push(at)
    at += part.length
  }
  return { bytes: Buffer.concat(parts), starts, lengths: parts.map((part) => part.length) }
}
