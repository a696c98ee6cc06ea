// Writes binary COPY rows fast: fixed values straight into one buffer, words as prepared bytes.

/** Microseconds from the Unix epoch to PostgreSQL's, 2000-01-01. */
const postgresEpochUs = 946_684_800_000_000
const highest = 2 ** 32
// The longest row, a payload block, is shorter.
const spareBytes = 131_072

export type DataWriter = {
  startRow(fields: number): void
  nul(): void
  bool(value: boolean): void
  int2(value: number): void
  /** A whole number, at least 0. */
  int8(value: number): void
  float8(value: number): void
  /** Microseconds since the Unix epoch. */
  time(us: number): void
  bytes(value: Uint8Array): void
  /** `words` numbers below 2^32, derived from the seed, as bytea. */
  randomBytes(seed: number, words: 2 | 4): void
  /** Returns the written bytes once there are more than `atLeast`, otherwise null. The writer never reuses a returned buffer. */
  take(atLeast: number): Buffer | null
}

/** Writes rows without header and trailer, in buffers of `size` bytes. */
export function makeDataWriter(size: number, mix: (value: number) => number): DataWriter {
  let buffer = Buffer.allocUnsafeSlow(size + spareBytes)
  let at = 0
  const uint4 = (value: number): void => {
    buffer[at] = value >>> 24
    buffer[at + 1] = value >>> 16
    buffer[at + 2] = value >>> 8
    buffer[at + 3] = value
    at += 4
  }
  const long = (value: number): void => {
    uint4(8)
    uint4(Math.floor(value / highest))
    uint4(value % highest)
  }
  return {
    startRow(fields) {
      buffer[at] = 0
      buffer[at + 1] = fields
      at += 2
    },
    nul: () => uint4(0xffff_ffff),
    bool(value) {
      uint4(1)
      buffer[at] = value ? 1 : 0
      at += 1
    },
    int2(value) {
      uint4(2)
      buffer[at] = value >>> 8
      buffer[at + 1] = value
      at += 2
    },
    int8: long,
    float8(value) {
      uint4(8)
      at = buffer.writeDoubleBE(value, at)
    },
    time: (us) => long(us - postgresEpochUs),
    bytes(value) {
      const { length } = value
      uint4(length)
      // A call costs more than a short loop.
      if (length > 32) buffer.set(value, at)
      else for (let nth = 0; nth < length; nth += 1) buffer[at + nth] = value[nth] ?? 0
      at += length
    },
    randomBytes(seed, words) {
      uint4(words * 4)
      for (let word = 0; word < words; word += 1) uint4(mix(seed + word))
    },
    take(atLeast) {
      if (at <= atLeast) return null
      const full = buffer.subarray(0, at)
      buffer = Buffer.allocUnsafeSlow(size + spareBytes)
      at = 0
      return full
    },
  }
}
