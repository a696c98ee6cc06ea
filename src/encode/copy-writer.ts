// Writes rows in PostgreSQL's binary COPY format into one growing buffer.
// Format: PostgreSQL manual, "COPY", section "Binary Format": int16 field count, then each field as int32 length and bytes; −1 is null.
import { viewOf } from '../otlp/protobuf/plain-text.ts'

/** Microseconds between the Unix epoch and PostgreSQL's, 2000-01-01. */
const postgresEpochUs = 946_684_800_000_000
const textOid = 25
const twoTo32 = 4_294_967_296
/** Up to this length, a loop over ASCII is faster than a native call. */
const maxLoopLength = 48
/** A writer that is reused keeps a buffer of at most this size. */
const maxKeptBytes = 4_194_304

export type CopyWriter = {
  /** Bytes written so far: the offset of the next row. */
  length(): number
  /** Discards everything after an offset, for a row that cannot be completed. */
  cutTo(offset: number): void
  /** Returns what was written so far. Valid until the next write. */
  view(): Uint8Array
  startRow(fields: number): void
  nul(): void
  bool(value: boolean): void
  int2(value: number): void
  /** A whole number within ±2^53. */
  int8(value: number): void
  float8(value: number): void
  text(value: string): void
  bytes(value: Uint8Array): void
  /** Writes an even number of hex digits as bytea. */
  hex(value: string): void
  uuid(value: string): void
  /** Microseconds since the Unix epoch. */
  timestamp(unixUs: number): void
  textArray(values: readonly string[]): void
  /** Returns what was written, in a new buffer that can be transferred, and empties the writer. */
  finish(): Uint8Array<ArrayBuffer>
}

/** Opens a writer with one buffer, which doubles when it is full. Writing a field creates no object. */
export function makeCopyWriter(initialBytes = 65_536): CopyWriter {
  let buffer = Buffer.allocUnsafeSlow(initialBytes)
  let view = viewOf(buffer)
  let at = 0

  function use(next: Buffer<ArrayBuffer>): void {
    buffer = next
    view = viewOf(next)
  }

  function reserve(bytes: number): void {
    if (at + bytes <= buffer.length) return
    const grown = Buffer.allocUnsafeSlow(Math.max(buffer.length * 2, at + bytes))
    buffer.copy(grown, 0, 0, at)
    use(grown)
  }

  function text(value: string): void {
    const { length } = value
    // A UTF-16 code unit takes at most three bytes; a surrogate pair takes four.
    reserve(4 + length * 3)
    const start = at + 4
    let written = 0
    if (length <= maxLoopLength) written = putAscii(value, start)
    // The loop stops at a character that is not ASCII, and is not used for long text.
    if (written < length) written = buffer.write(value, start, 'utf8')
    view.setInt32(at, written)
    at = start + written
  }

  /** Returns how many characters were written. It stops at the first one that is not ASCII. */
  function putAscii(value: string, start: number): number {
    const { length } = value
    for (let i = 0; i < length; i++) {
      const code = value.charCodeAt(i)
      if (code > 0x7f) return i
      buffer[start + i] = code
    }
    return length
  }

  function fixedHex(value: string, bytes: number): void {
    reserve(4 + bytes)
    view.setInt32(at, bytes)
    at += 4
    for (let i = 0; i < bytes; i++) {
      buffer[at + i] = (digitOf(value.charCodeAt(2 * i)) << 4) | digitOf(value.charCodeAt(2 * i + 1))
    }
    at += bytes
  }

  function int8(value: number): void {
    reserve(12)
    view.setInt32(at, 8)
    const high = Math.floor(value / twoTo32)
    view.setInt32(at + 4, high)
    view.setInt32(at + 8, (value - high * twoTo32) | 0)
    at += 12
  }

  return {
    length: () => at,
    cutTo(offset) {
      at = offset
    },
    view: () => buffer,
    startRow(fields) {
      reserve(2)
      view.setInt16(at, fields)
      at += 2
    },
    nul() {
      reserve(4)
      view.setInt32(at, -1)
      at += 4
    },
    bool(value) {
      reserve(5)
      view.setInt32(at, 1)
      view.setInt8(at + 4, value ? 1 : 0)
      at += 5
    },
    int2(value) {
      reserve(6)
      view.setInt32(at, 2)
      view.setInt16(at + 4, value)
      at += 6
    },
    int8,
    float8(value) {
      reserve(12)
      view.setInt32(at, 8)
      view.setFloat64(at + 4, value)
      at += 12
    },
    text,
    bytes(value) {
      reserve(4 + value.length)
      view.setInt32(at, value.length)
      buffer.set(value, at + 4)
      at += 4 + value.length
    },
    hex: (value) => fixedHex(value, value.length / 2),
    uuid: (value) => fixedHex(value.replaceAll('-', '').toLowerCase(), 16),
    timestamp: (unixUs) => int8(unixUs - postgresEpochUs),
    textArray(values) {
      reserve(24)
      const lengthAt = at
      view.setInt32(at + 4, values.length === 0 ? 0 : 1)
      view.setInt32(at + 8, 0)
      view.setInt32(at + 12, textOid)
      at += 16
      if (values.length > 0) {
        view.setInt32(at, values.length)
        view.setInt32(at + 4, 1)
        at += 8
        for (const value of values) text(value)
      }
      view.setInt32(lengthAt, at - lengthAt - 4)
    },
    finish() {
      // `slice` does not fill the new memory with zeros first.
      const bytes = new Uint8Array(buffer.buffer.slice(0, at))
      at = 0
      if (buffer.length > maxKeptBytes) use(Buffer.allocUnsafeSlow(initialBytes))
      return bytes
    },
  }
}

/** Returns the value of a lower-case hex digit. */
const digitOf = (code: number): number => (code < 58 ? code - 48 : code - 87)
