// Writes protobuf messages into one growing buffer.

/** The length of a nested message or text takes 4 bytes, enough for 2^28. A shorter form would often do, but readers accept this one. */
const lengthBytes = 4
/** A writer that is reused keeps a buffer of at most this size. */
const maxKeptBytes = 4_194_304

export type MessageWriter = {
  length(): number
  /** Appends fields that are encoded already. */
  fields(value: Uint8Array): void
  /** Appends a message or text that is encoded already. */
  bytes(tag: number, value: Uint8Array): void
  text(tag: number, value: string): void
  /** Appends an even number of hex digits as bytes. */
  hex(tag: number, value: string): void
  varint(tag: number, value: bigint | number): void
  fixed64(tag: number, value: bigint): void
  double(tag: number, value: number): void
  /** Begins a nested message. Pass the result to `end`. */
  begin(tag: number): number
  end(start: number): void
  /** Returns the fields written so far, without a tag or a length. Valid until the next write. */
  view(): Buffer
  clear(): void
}

export function openMessageWriter(initialBytes = 4_096): MessageWriter {
  let buffer = Buffer.allocUnsafeSlow(initialBytes)
  let at = 0

  function reserve(bytes: number): void {
    if (at + bytes <= buffer.length) return
    const grown = Buffer.allocUnsafeSlow(Math.max(buffer.length * 2, at + bytes))
    buffer.copy(grown, 0, 0, at)
    buffer = grown
  }

  /** Writes a varint of at most 32 bits. */
  function putShort(value: number): void {
    let rest = value >>> 0
    while (rest > 0x7f) {
      buffer[at++] = (rest & 0x7f) | 0x80
      rest >>>= 7
    }
    buffer[at++] = rest
  }

  function begin(tag: number): number {
    reserve(10 + lengthBytes)
    putShort(tag)
    at += lengthBytes
    return at
  }

  function end(start: number): void {
    let rest = at - start
    for (let i = start - lengthBytes; i < start - 1; i++) {
      buffer[i] = (rest & 0x7f) | 0x80
      rest >>>= 7
    }
    buffer[start - 1] = rest
  }

  return {
    length: () => at,
    fields(value) {
      reserve(value.length)
      buffer.set(value, at)
      at += value.length
    },
    bytes(tag, value) {
      reserve(10 + value.length)
      putShort(tag)
      putShort(value.length)
      buffer.set(value, at)
      at += value.length
    },
    text(tag, value) {
      const start = begin(tag)
      reserve(value.length * 3)
      at += buffer.write(value, at, 'utf8')
      end(start)
    },
    hex(tag, value) {
      reserve(10 + value.length)
      putShort(tag)
      putShort(value.length / 2)
      at += buffer.write(value, at, 'hex')
    },
    varint(tag, value) {
      reserve(20)
      putShort(tag)
      let rest = BigInt.asUintN(64, BigInt(value))
      while (rest > 0x7fn) {
        buffer[at++] = Number(rest & 0x7fn) | 0x80
        rest >>= 7n
      }
      buffer[at++] = Number(rest)
    },
    fixed64(tag, value) {
      reserve(18)
      putShort(tag)
      at = buffer.writeBigUInt64LE(BigInt.asUintN(64, value), at)
    },
    double(tag, value) {
      reserve(18)
      putShort(tag)
      at = buffer.writeDoubleLE(value, at)
    },
    begin,
    end,
    view: () => buffer.subarray(0, at),
    clear() {
      at = 0
      if (buffer.length > maxKeptBytes) buffer = Buffer.allocUnsafeSlow(initialBytes)
    },
  }
}
