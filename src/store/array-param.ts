// Arrays as parameters in PostgreSQL's own binary form: what node-pg would write as text costs a microsecond a value.
import { type CopyWriter, makeCopyWriter } from '../otlp/rows/copy-writer.ts'

/** Type oids of elements, as PostgreSQL's catalog fixes them for ever. */
export const elementOids = {
  bool: 16,
  bytea: 17,
  int8: 20,
  text: 25,
  float8: 701,
  timestamptz: 1184,
  uuid: 2950,
} as const

// Dimensions, "holds nulls" (which the server finds out for itself), element type; then length and lower bound: array_send.
const dimensionlessBytes = 12
export const elementsOffset = 20

/**
 * A one-dimensional array of `length` elements, which `write` appends, each as a field of a COPY row; to be given as a parameter's
 * value. Who makes many gives one writer to all of them.
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

/** The same for who knows the bytes of all elements, with their lengths, and writes them from `elementsOffset` on. */
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

/** A list of texts as the literal of a `text[]`, for arrays within an array: cast it. */
export function writeTextArray(texts: Iterable<string>): string {
  let literal = ''
  for (const text of texts) {
    // Hardly any holds one, and looking costs a fifth of replacing none.
    const escaped = special.test(text) ? text.replaceAll(specials, '\\$&') : text
    literal += `${literal === '' ? '{' : ','}"${escaped}"`
  }
  return literal === '' ? '{}' : `${literal}}`
}
