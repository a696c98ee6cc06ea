// Reads rows of PostgreSQL's binary COPY format.

/** Returns the fields of each row; null where a field is null. `offsets`: the start of each row, and the end of the last one. */
export function readCopyRows(bytes: Uint8Array, offsets: Uint32Array): (Buffer | null)[][] {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Array.from(offsets.subarray(0, -1), (start, row) => {
    let at = start + 2
    const fields = Array.from({ length: view.readInt16BE(start) }, () => {
      const length = view.readInt32BE(at)
      at += 4 + Math.max(length, 0)
      return length < 0 ? null : view.subarray(at - length, at)
    })
    if (at !== offsets[row + 1]) throw new Error(`row ${row} does not end where the next begins`)
    return fields
  })
}
