// Remembers short values in which redaction changes nothing: most of the values of a span repeat in others, and need no second scan.
import { type ByteSource, hashBytes, isSameBytes, viewOf } from '../otlp/protobuf/plain-text.ts'
import { isSuspicious } from '../redact/suspicion.ts'

/** A direct-mapped cache that is kept across requests: a slot holds the bytes of a text. `isSuspicious` depends on nothing else. */
type CleanValues = {
  readonly kept: Uint8Array
  readonly keptView: DataView
  readonly lengths: Uint8Array
  /** The hash of the last text of each slot: a text is kept at its second occurrence. Ids occur once, and need no copy. */
  readonly met: Int32Array
}

/** Longer values seldom repeat. */
const maxBytes = 64
const slots = 2_048

/** Opens a cache of 0.15 MB. */
export function openCleanValues(): CleanValues {
  const kept = new Uint8Array(slots * maxBytes)
  return { kept, keptView: viewOf(kept), lengths: new Uint8Array(slots), met: new Int32Array(slots) }
}

/** As `isSuspicious`, for the value from `start` to `end`. About 20 ns for a short value that occurred before. */
export function isSuspiciousValue(
  clean: CleanValues,
  source: Readonly<ByteSource>,
  start: number,
  end: number,
): boolean {
  const length = end - start
  if (length > maxBytes) return isSuspicious(source.bytes, start, end)
  const hash = hashBytes(source, start, length)
  const slot = hash & (slots - 1)
  const first = slot * maxBytes
  if (clean.lengths[slot] === length && isSameBytes(source.view, start, clean.keptView, first, length)) return false
  if (isSuspicious(source.bytes, start, end)) return true
  if (clean.met[slot] === hash) {
    for (let at = 0; at < length; at++) clean.kept[first + at] = source.bytes[start + at] as number
    clean.lengths[slot] = length
  } else clean.met[slot] = hash
  return false
}
