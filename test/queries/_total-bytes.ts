import type { Total } from '../../src/sketches/bucket.ts'
import { openWriter, written } from '../../src/sketches/byte-writer.ts'
import { writeTotal } from '../../src/sketches/total-codec.ts'

/** Returns the stored form of a total, as text. */
export function bytesOf(total: Total): string {
  const writer = openWriter()
  writeTotal(writer, openWriter(), total, false)
  return Buffer.from(written(writer)).toString('base64')
}
