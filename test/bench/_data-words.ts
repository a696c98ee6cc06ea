// The values of the rows of the large data set: words as bytes, and numbers with heavy tails.
import { createHash } from 'node:crypto'
import { mix } from './_data-shape.ts'

/** Caches the result of `make` for each key. */
export function remember<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>()
  return (key) => {
    const found = known.get(key)
    if (found !== undefined) return found
    const made = make(key)
    known.set(key, made)
    return made
  }
}

/** Encodes an array of text in PostgreSQL's binary form. */
export function encodeTexts(values: readonly string[]): Buffer {
  const textOid = 25
  const int4 = (value: number): Buffer => {
    const bytes = Buffer.alloc(4)
    bytes.writeInt32BE(value)
    return bytes
  }
  const head = [int4(values.length === 0 ? 0 : 1), int4(0), int4(textOid)]
  if (values.length === 0) return Buffer.concat(head)
  const items = values.flatMap((value) => [int4(Buffer.byteLength(value)), Buffer.from(value)])
  return Buffer.concat([...head, int4(values.length), int4(1), ...items])
}

/** Returns a function that draws factors from a log-normal distribution of this width, with a median of 1. */
export function makeTail(sigma: number): (random: number) => number {
  const drawn = Float64Array.from({ length: 4_096 }, (_, at) => {
    const [radius, angle] = [(mix(at) + 1) / (2 ** 32 + 1), mix(at + 7_777) / 2 ** 32]
    return Math.exp(sigma * Math.sqrt(-2 * Math.log(radius)) * Math.cos(2 * Math.PI * angle))
  })
  return (random) => drawn[random & 4_095] ?? 1
}

/** Returns the hash of one input of a tool, as the service writes it. */
export const hashInput = (tool: string, input: number): Buffer =>
  Buffer.from(`sha256:${createHash('sha256').update(`${tool}/${input}`).digest('hex')}`)
