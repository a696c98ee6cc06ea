// Packs many byte strings into one parameter of a statement: an array of them would be sent as text of twice the length.

export type Packed = {
  readonly bytes: Buffer
  /** The position of each part, counted from 1 as in SQL. A null part has the position of the next one. */
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
