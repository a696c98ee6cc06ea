// The registers of a HyperLogLog: the highest rank that each has seen. They have five bits each and are packed six to a word, so that two
// sets are merged word by word.
import { type ByteReader, damaged } from './byte-reader.ts'
import { type ByteWriter, reserve } from './byte-writer.ts'

/** 32 registers take six words: five words hold six registers each, the last holds two. The first register is in the lowest bits. */
export type Registers = Int32Array<ArrayBuffer>

const wordsOf32 = 6
/** The stored form of 32 registers: without gaps, the first register in the lowest bits. */
const bytesOf32 = 20

// Every second register of a word, and the bit above each of those.
const everySecond = 0x01f0_7c1f
const aboveThem = 0x0200_8020
// The highest bit of each register.
const sixteens = 0x2108_4210

export const makeRegisters = (precision: number): Registers => new Int32Array((2 ** precision / 32) * wordsOf32)

/** Returns the number of bytes that the registers take when stored. */
const bytesOf = (registers: Registers): number => (registers.length / wordsOf32) * bytesOf32

/** Adds a hash. Its first bits choose the register; the rank is the position of the first 1 in the remaining bits. */
export function rankUp(registers: Registers, precision: number, hash: number): void {
  const rank = Math.clz32((hash << precision) | (1 << (precision - 1))) + 1
  const register = hash >>> (32 - precision)
  const place = register & 31
  // place / 6, rounded down: correct for numbers below 32.
  const word = (place * 43) >>> 8
  const shift = (place - word * 6) * 5
  const at = (register >>> 5) * wordsOf32 + word
  const found = registers[at]!
  if (((found >>> shift) & 31) < rank) registers[at] = (found & ~(31 << shift)) | (rank << shift)
}

/** Raises registers to the values of others of the same precision, where these are higher. About 6 µs for 2^14 registers. */
export function uniteRegisters(into: Registers, from: Registers): void {
  if (into.length !== from.length) throw new Error('cannot merge HyperLogLogs of different precision')
  for (let at = 0; at < into.length; at++) into[at] = higher(into[at]!, from[at]!)
}

/** Returns a word with the higher one of each two registers at the same position. */
function higher(a: number, b: number): number {
  // The bit above a register stays set if a's register is at least b's. Odd registers are shifted down by five bits for this; the bit above
  // them is the lowest bit of their original position.
  const even = (((a & everySecond) | aboveThem) - (b & everySecond)) & aboveThem
  const odd = ((((a >>> 5) & everySecond) | aboveThem) - ((b >>> 5) & everySecond)) & aboveThem
  const lowest = (even >>> 5) | odd
  // Masks all five bits of these registers.
  const ofA = (lowest << 5) - lowest
  return b ^ ((a ^ b) & ofA)
}

/** Returns how many registers have each rank from 0 to `maxRank`. */
export function countRanks(registers: Registers, maxRank: number): Float64Array {
  const counts = new Float64Array(maxRank + 1)
  for (let at = 0; at < registers.length; at += wordsOf32) {
    for (let nth = 0; nth < wordsOf32; nth++) {
      const word = registers[at + nth]!
      const end = nth === 5 ? 10 : 30
      for (let shift = 0; shift < end; shift += 5) counts[(word >>> shift) & 31]!++
    }
  }
  return counts
}

export function writeRegisters(writer: ByteWriter, registers: Registers): void {
  const bytes = bytesOf(registers)
  reserve(writer, bytes)
  const view = new DataView(writer.bytes.buffer, writer.bytes.byteOffset + writer.at, bytes)
  for (let at = 0, to = 0; at < registers.length; at += wordsOf32, to += bytesOf32) {
    const w1 = registers[at + 1]!
    const w2 = registers[at + 2]!
    const w3 = registers[at + 3]!
    const w4 = registers[at + 4]!
    view.setInt32(to, registers[at]! | (w1 << 30), true)
    view.setInt32(to + 4, (w1 >>> 2) | (w2 << 28), true)
    view.setInt32(to + 8, (w2 >>> 4) | (w3 << 26), true)
    view.setInt32(to + 12, (w3 >>> 6) | (w4 << 24), true)
    view.setInt32(to + 16, (w4 >>> 8) | (registers[at + 5]! << 22), true)
  }
  writer.at += bytes
}

const lowest30 = 0x3fff_ffff

/** Raises registers to stored ones, which extend to the end of the reader. About 9 µs for 2^14 registers. */
export function raiseRegisters(into: Registers, reader: ByteReader, maxRank: number): void {
  const { bytes, at: from, end } = reader
  if (end - from !== bytesOf(into)) throw damaged('a set has the wrong length')
  const view = new DataView(bytes.buffer, bytes.byteOffset + from, end - from)
  for (let at = 0, next = 0; at < into.length; at += wordsOf32, next += bytesOf32) {
    const a = view.getInt32(next, true)
    const b = view.getInt32(next + 4, true)
    const c = view.getInt32(next + 8, true)
    const d = view.getInt32(next + 12, true)
    const e = view.getInt32(next + 16, true)
    const w0 = a & lowest30
    const w1 = ((a >>> 30) | (b << 2)) & lowest30
    const w2 = ((b >>> 28) | (c << 4)) & lowest30
    const w3 = ((c >>> 26) | (d << 6)) & lowest30
    const w4 = ((d >>> 24) | (e << 8)) & lowest30
    const w5 = e >>> 22
    // Few registers have their highest bit set, so few words are checked register by register.
    if (((w0 | w1 | w2 | w3 | w4 | w5) & sixteens) !== 0)
      for (const word of [w0, w1, w2, w3, w4, w5]) check(word, maxRank)
    into[at] = higher(into[at]!, w0)
    into[at + 1] = higher(into[at + 1]!, w1)
    into[at + 2] = higher(into[at + 2]!, w2)
    into[at + 3] = higher(into[at + 3]!, w3)
    into[at + 4] = higher(into[at + 4]!, w4)
    into[at + 5] = higher(into[at + 5]!, w5)
  }
  reader.at = end
}

function check(word: number, maxRank: number): void {
  for (let rest = word; rest !== 0; rest >>>= 5) if ((rest & 31) > maxRank) throw damaged('a rank is out of range')
}
