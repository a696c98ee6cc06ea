// Floor 1. Writes rows in PostgreSQL's binary COPY format into one growing buffer.
// Format: PostgreSQL manual, "COPY", section "Binary Format": int16 field count, then each field as int32 length and bytes; −1 is null.

/** Microseconds between the Unix epoch and PostgreSQL's, 2000-01-01. */
const postgresEpochUs = 946_684_800_000_000
const textOid = 25
const twoTo32 = 4_294_967_296
/** Up to this length a loop over ASCII is faster than a call into the runtime. */
const maxLoopLength = 48
/** A writer that is used again does not hold on to more than this. */
const maxKeptBytes = 4_194_304

export type CopyWriter = {
  /** Bytes written so far: the offset of the next row. */
  length(): number
  /** Forgets what was written behind an offset: a row that was begun and cannot be ended. */
  cutTo(offset: number): void
  /** What was written so far; good until the next write. */
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
  /** Hex digits, an even number of them, as bytea. */
  hex(value: string): void
  uuid(value: string): void
  /** Microseconds since the Unix epoch. */
  timestamp(unixUs: number): void
  textArray(values: readonly string[]): void
  /** What was written, in a buffer of its own that may be transferred. The writer begins anew. */
  finish(): Uint8Array<ArrayBuffer>
}

/** One allocation that doubles; no object a field. */
export function makeCopyWriter(initialBytes = 65_536): CopyWriter {
  let buffer = Buffer.allocUnsafeSlow(initialBytes)
  let at = 0

  function reserve(bytes: number): void {
    if (at + bytes <= buffer.length) return
    const grown = Buffer.allocUnsafeSlow(Math.max(buffer.length * 2, at + bytes))
    buffer.copy(grown, 0, 0, at)
    buffer = grown
  }

  function put32(value: number, position: number): void {
    buffer[position] = value >>> 24
    buffer[position + 1] = value >>> 16
    buffer[position + 2] = value >>> 8
    buffer[position + 3] = value
  }

  function text(value: string): void {
    const { length } = value
    // Three bytes hold any UTF-16 code unit; a pair of them needs four.
    reserve(4 + length * 3)
    const start = at + 4
    let written = 0
    if (length <= maxLoopLength) written = putAscii(value, start)
    // The loop stops at what is not ASCII, and for long text it never begins.
    if (written < length) written = buffer.write(value, start, 'utf8')
    put32(written, at)
    at = start + written
  }

  /** Gives how many characters were written: fewer than there are where one is not ASCII. */
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
    put32(bytes, at)
    at += 4
    for (let i = 0; i < bytes; i++) {
      buffer[at + i] = (digitOf(value.charCodeAt(2 * i)) << 4) | digitOf(value.charCodeAt(2 * i + 1))
    }
    at += bytes
  }

  function int8(value: number): void {
    reserve(12)
    put32(8, at)
    const high = Math.floor(value / twoTo32)
    put32(high | 0, at + 4)
    put32((value - high * twoTo32) | 0, at + 8)
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
      buffer[at] = fields >>> 8
      buffer[at + 1] = fields
      at += 2
    },
    nul() {
      reserve(4)
      put32(-1, at)
      at += 4
    },
    bool(value) {
      reserve(5)
      put32(1, at)
      buffer[at + 4] = value ? 1 : 0
      at += 5
    },
    int2(value) {
      reserve(6)
      put32(2, at)
      buffer[at + 4] = value >>> 8
      buffer[at + 5] = value
      at += 6
    },
    int8,
    float8(value) {
      reserve(12)
      put32(8, at)
      buffer.writeDoubleBE(value, at + 4)
      at += 12
    },
    text,
    bytes(value) {
      reserve(4 + value.length)
      put32(value.length, at)
      buffer.set(value, at + 4)
      at += 4 + value.length
    },
    hex: (value) => fixedHex(value, value.length / 2),
    uuid: (value) => fixedHex(value.replaceAll('-', '').toLowerCase(), 16),
    timestamp: (unixUs) => int8(unixUs - postgresEpochUs),
    textArray(values) {
      reserve(24)
      const lengthAt = at
      put32(values.length === 0 ? 0 : 1, at + 4)
      put32(0, at + 8)
      put32(textOid, at + 12)
      at += 16
      if (values.length > 0) {
        put32(values.length, at)
        put32(1, at + 4)
        at += 8
        for (const value of values) text(value)
      }
      put32(at - lengthAt - 4, lengthAt)
    },
    finish() {
      const bytes = new Uint8Array(at)
      bytes.set(buffer.subarray(0, at))
      at = 0
      if (buffer.length > maxKeptBytes) buffer = Buffer.allocUnsafeSlow(initialBytes)
      return bytes
    },
  }
}

/** The value of a lower-case hex digit. */
const digitOf = (code: number): number => (code < 58 ? code - 48 : code - 87)
