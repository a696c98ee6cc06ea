// Reads and writes floating-point numbers as bytes.
import { type ByteReader, damaged } from '../../sketches/byte-reader.ts'
import { type ByteWriter, reserve } from '../../sketches/byte-writer.ts'

export function writeDouble(writer: ByteWriter, value: number): void {
  reserve(writer, 8)
  writer.at = writer.bytes.writeDoubleLE(value, writer.at)
}

export function readDouble(reader: ByteReader): number {
  if (reader.end - reader.at < 8) throw damaged('the data ends too early')
  reader.at += 8
  return reader.bytes.readDoubleLE(reader.at - 8)
}

export function writeDoubles(writer: ByteWriter, values: Float64Array): void {
  for (const value of values) writeDouble(writer, value)
}

/** Fills the array: reads as many numbers as it is long. */
export function readDoubles(reader: ByteReader, into: Float64Array): void {
  for (let i = 0; i < into.length; i++) into[i] = readDouble(reader)
}
