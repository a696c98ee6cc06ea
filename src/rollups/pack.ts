// Many byte strings as one parameter of a statement: an array of them would be sent as text, twice as long.

export type Packed = {
  readonly bytes: Buffer
  /** Where each begins, counted from 1 as SQL does; of one that is null, where the next does. */
  readonly starts: readonly number[]
  readonly lengths: readonly (number | null)[]
}

export function pack(parts: readonly (Uint8Array | null)[]): Packed {
  const starts: number[] = []
  let at = 1
  for (const part of parts) {
    starts.push(at)
    at += part?.length ?? 0
  }
  const bytes = Buffer.concat(parts.filter((part) => part !== null))
  return { bytes, starts, lengths: parts.map((part) => part?.length ?? null) }
}
