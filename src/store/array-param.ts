// Array parameters in PostgreSQL's binary form. The text form that node-pg writes costs a microsecond a value.
import { type CopyWriter, makeCopyWriter } from '../encode/copy-writer.ts'

/** Type oids of the elements. PostgreSQL's catalog never changes them. */
export const elementOids = {
  bool: 16,
  bytea: 17,
  int8: 20,
  text: 25,
  float8: 701,
  timestamptz: 1184,
  uuid: 2950,
} as const

// Header of array_send: number of dimensions, a flag for nulls (the server checks for nulls itself) and element type; then length and lower
// bound.
const dimensionlessBytes = 12
export const elementsOffset = 20

/**
 * Returns a one-dimensional array of `length` elements, for use as a parameter value. `write` appends each element as a field of a COPY
 * row. A caller that makes many arrays passes the same `writer` to all of them.
 */
export function makeArrayParam(
  element: keyof typeof elementOids,
  length: number,
  write: (writer: CopyWriter) => void,
  writer: CopyWriter = makeCopyWriter(length * 16),
): Buffer {
  writer.cutTo(0)
  write(writer)
  const array = openArrayParam(element, length, writer.length())
  if (length > 0) array.set(writer.view().subarray(0, writer.length()), elementsOffset)
  return array
}

/**
 * Returns an array whose elements the caller writes itself, from `elementsOffset` on. `bytes` is the size of all elements with their
 * lengths.
 */
export function openArrayParam(element: keyof typeof elementOids, length: number, bytes: number): Buffer {
  const array = Buffer.allocUnsafe(length === 0 ? dimensionlessBytes : elementsOffset + bytes)
  array.writeInt32BE(length === 0 ? 0 : 1, 0)
  array.writeInt32BE(0, 4)
  array.writeInt32BE(elementOids[element], 8)
  if (length === 0) return array
  array.writeInt32BE(length, 12)
  array.writeInt32BE(1, 16)
  return array
}

const special = /["\\]/
const specials = /["\\]/g

/** Returns the literal of a `text[]`, for arrays within an array. The statement has to cast it. */
export function writeTextArray(texts: Iterable<string>): string {
  let literal = ''
  for (const text of texts) {
    // Few texts contain a special character, and the test costs a fifth of a replacement that finds none.
    const escaped = special.test(text) ? text.replaceAll(specials, '\\$&') : text
    literal += `${literal === '' ? '{' : ','}"${escaped}"`
  }
  return literal === '' ? '{}' : `${literal}}`
}
