// Floor 1. Writes rows in PostgreSQL's binary COPY format into one growing buffer.
// Format: PostgreSQL manual, "COPY", section "Binary Format": int16 field count, then each field as int32 length and bytes; −1 is null.

/** Microseconds between the Unix epoch and PostgreSQL's, 2000-01-01. */
const postgresEpochUs = 946_684_800_000_000n
const textOid = 25

const encoder = new TextEncoder()

export type CopyWriter = {
  /** Bytes written so far: the offset of the next row. */
  length(): number
  /** Forgets what was written behind an offset: a row that was begun and cannot be ended. */
  cutTo(offset: number): void
  startRow(fields: number): void
  nul(): void
  bool(value: boolean): void
  int2(value: number): void
  int4(value: number): void
  int8(value: bigint): void
  float8(value: number): void
  text(value: string): void
  bytes(value: Uint8Array): void
  /** Hex digits, an even number of them, as bytea. */
  hex(value: string): void
  uuid(value: string): void
  /** Nanoseconds since the Unix epoch, cut to PostgreSQL's microseconds. */
  timestamp(unixNano: bigint): void
  textArray(values: readonly string[]): void
  /** What was written, in a buffer of its own that may be transferred. */
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

  function writeLengthAt(position: number): void {
    buffer.writeInt32BE(at - position - 4, position)
  }

  function utf8(value: string): void {
    // Three bytes hold any UTF-16 code unit; a pair of them needs four.
    reserve(4 + value.length * 3)
    const lengthAt = at
    at += 4
    at += encoder.encodeInto(value, buffer.subarray(at)).written
    writeLengthAt(lengthAt)
  }

  function fixedHex(value: string, bytes: number): void {
    reserve(4 + bytes)
    buffer.writeInt32BE(bytes, at)
    buffer.write(value, at + 4, bytes, 'hex')
    at += 4 + bytes
  }

  function int8(value: bigint): void {
    reserve(12)
    buffer.writeInt32BE(8, at)
    buffer.writeBigInt64BE(value, at + 4)
    at += 12
  }

  return {
    length: () => at,
    cutTo(offset) {
      at = offset
    },
    startRow(fields) {
      reserve(2)
      at = buffer.writeInt16BE(fields, at)
    },
    nul() {
      reserve(4)
      at = buffer.writeInt32BE(-1, at)
    },
    bool(value) {
      reserve(5)
      at = buffer.writeInt32BE(1, at)
      at = buffer.writeUInt8(value ? 1 : 0, at)
    },
    int2(value) {
      reserve(6)
      at = buffer.writeInt32BE(2, at)
      at = buffer.writeInt16BE(value, at)
    },
    int4(value) {
      reserve(8)
      at = buffer.writeInt32BE(4, at)
      at = buffer.writeInt32BE(value, at)
    },
    int8,
    float8(value) {
      reserve(12)
      at = buffer.writeInt32BE(8, at)
      at = buffer.writeDoubleBE(value, at)
    },
    text: utf8,
    bytes(value) {
      reserve(4 + value.length)
      at = buffer.writeInt32BE(value.length, at)
      buffer.set(value, at)
      at += value.length
    },
    hex: (value) => fixedHex(value, value.length / 2),
    uuid: (value) => fixedHex(value.replaceAll('-', ''), 16),
    timestamp: (unixNano) => int8(unixNano / 1_000n - postgresEpochUs),
    textArray(values) {
      reserve(24)
      const lengthAt = at
      at += 4
      at = buffer.writeInt32BE(values.length === 0 ? 0 : 1, at)
      at = buffer.writeInt32BE(0, at)
      at = buffer.writeInt32BE(textOid, at)
      if (values.length > 0) {
        at = buffer.writeInt32BE(values.length, at)
        reserve(4)
        at = buffer.writeInt32BE(1, at)
        for (const value of values) utf8(value)
      }
      writeLengthAt(lengthAt)
    },
    finish() {
      const bytes = new Uint8Array(at)
      bytes.set(buffer.subarray(0, at))
      return bytes
    },
  }
}
