// Writes numbers and texts into one growing buffer.

export type ByteWriter = { bytes: Buffer; at: number }

/** From this number on, doubling it to encode the sign does not give a safe integer. */
export const firstWide = 2 ** 52

export const openWriter = (initialBytes = 256): ByteWriter => ({ bytes: Buffer.allocUnsafe(initialBytes), at: 0 })

/** Returns what was written as a view, which is valid until the writer is used again. */
export const written = (writer: ByteWriter): Buffer => writer.bytes.subarray(0, writer.at)

/** Makes room for that many more bytes. */
export function reserve(writer: ByteWriter, bytes: number): void {
  if (writer.at + bytes <= writer.bytes.length) return
  const grown = Buffer.allocUnsafe(Math.max(writer.bytes.length * 2, writer.at + bytes))
  writer.bytes.copy(grown, 0, 0, writer.at)
  writer.bytes = grown
}

/** Writes an integer from 0 to 2^53 - 1: seven bits a byte, the lowest first. */
export function writeVarint(writer: ByteWriter, value: number): void {
  reserve(writer, 8)
  let rest = value
  while (rest > 0x7fffffff) {
    writer.bytes[writer.at++] = (rest % 128) | 0x80
    rest = Math.floor(rest / 128)
  }
  while (rest > 0x7f) {
    writer.bytes[writer.at++] = (rest & 0x7f) | 0x80
    rest >>>= 7
  }
  writer.bytes[writer.at++] = rest
}

/** Writes any integer that a float64 holds: small ones of either sign in few bytes, those from ±2^52 on in nine bytes. */
export function writeSigned(writer: ByteWriter, value: number): void {
  if (value > -firstWide && value < firstWide) {
    writeVarint(writer, value >= 0 ? value * 2 + 1 : value * -2)
    return
  }
  writeVarint(writer, 0)
  reserve(writer, 8)
  writer.at = writer.bytes.writeDoubleLE(value, writer.at)
}

/** Writes the length in bytes, then the text in UTF-8. */
export function writeText(writer: ByteWriter, text: string): void {
  const length = Buffer.byteLength(text)
  writeVarint(writer, length)
  reserve(writer, length)
  writer.at += writer.bytes.write(text, writer.at)
}

export function writeBytes(writer: ByteWriter, bytes: Uint8Array): void {
  reserve(writer, bytes.length)
  writer.bytes.set(bytes, writer.at)
  writer.at += bytes.length
}

/** Writes the length of what `write` writes, then the data. `scratch` is used for the data. */
export function writeSection(writer: ByteWriter, scratch: ByteWriter, write: (into: ByteWriter) => void): void {
  scratch.at = 0
  write(scratch)
  writeVarint(writer, scratch.at)
  writeBytes(writer, written(scratch))
}
