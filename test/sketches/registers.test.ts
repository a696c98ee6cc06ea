import test from 'ava'
import { openReader } from '../../src/sketches/byte-reader.ts'
import { openWriter, written } from '../../src/sketches/byte-writer.ts'
import {
  countRanks,
  makeRegisters,
  type Registers,
  raiseRegisters,
  rankUp,
  uniteRegisters,
  writeRegisters,
} from '../../src/sketches/registers.ts'
import { makeRandom, type Random } from '../_kit/random.ts'
import { digests } from './_digests.ts'

/** One rank a register, as in the standard description of HyperLogLog. */
const makePlain = (precision: number): Uint8Array => new Uint8Array(2 ** precision)

function rankUpPlain(plain: Uint8Array, precision: number, hash: number): void {
  let rank = 1
  while (rank <= 32 - precision && Math.floor(hash / 2 ** (32 - precision - rank)) % 2 === 0) rank++
  const register = Math.floor(hash / 2 ** (32 - precision))
  plain[register] = Math.max(plain[register] ?? 0, rank)
}

/** Five bits each, the first in the lowest bits. */
function pack(plain: Uint8Array): Buffer {
  const bytes = Buffer.alloc((plain.length / 8) * 5 + 1)
  for (const [register, rank] of plain.entries()) {
    const at = (register * 5) >> 3
    bytes.writeUInt16LE(bytes.readUInt16LE(at) | (rank << ((register * 5) & 7)), at)
  }
  return bytes.subarray(0, -1)
}

function encode(registers: Registers): Buffer {
  const writer = openWriter(1)
  writeRegisters(writer, registers)
  return Buffer.from(written(writer))
}

/** Half of the hashes have many zeros after the bits that choose the register, so that every rank occurs. */
function hashOf(random: Random, precision: number): number {
  const hash = random.int(2 ** 32)
  if (random.chance(0.5)) return hash
  const restBits = 32 - precision
  return ((hash >>> restBits) << restBits) | ((hash & (2 ** restBits - 1)) >>> random.int(restBits + 1))
}

for (const precision of [12, 14]) {
  test(`registers of precision ${precision} are those of plain code, also when stored and when united`, (t) => {
    const random = makeRandom(precision)
    const maxRank = 33 - precision
    const sums = { plain: makePlain(precision), united: makeRegisters(precision), raised: makeRegisters(precision) }
    for (const count of [0, 1, 500, 20_000]) {
      const plain = makePlain(precision)
      const registers = makeRegisters(precision)
      for (let nth = 0; nth < count; nth++) {
        const hash = hashOf(random, precision) >>> 0
        rankUpPlain(plain, precision, hash)
        rankUp(registers, precision, hash)
      }
      t.deepEqual(digests(encode(registers)), digests(pack(plain)))
      const counts = new Float64Array(maxRank + 1)
      for (const rank of plain) counts[rank]!++
      t.deepEqual(countRanks(registers, maxRank), counts)
      sums.plain.set(sums.plain.map((rank, at) => Math.max(rank, plain[at]!)))
      uniteRegisters(sums.united, registers)
      raiseRegisters(sums.raised, openReader(encode(registers)), maxRank)
    }
    t.true(sums.plain.includes(maxRank), 'the highest rank was met')
    t.deepEqual(digests(encode(sums.united)), digests(pack(sums.plain)))
    t.deepEqual(digests(encode(sums.raised)), digests(pack(sums.plain)))
  })

  test(`each register of precision ${precision} is judged by itself`, (t) => {
    const maxRank = 33 - precision
    for (let register = 0; register < 36; register++) {
      const plain = makePlain(precision)
      plain[register] = maxRank
      const registers = makeRegisters(precision)
      raiseRegisters(registers, openReader(pack(plain)), maxRank)
      t.deepEqual(digests(encode(registers)), digests(pack(plain)))
      plain[register] = maxRank + 1
      t.throws(() => raiseRegisters(registers, openReader(pack(plain)), maxRank), { message: /rank is out of range/ })
    }
  })
}

test('registers of two precisions are not united', (t) => {
  t.throws(() => uniteRegisters(makeRegisters(12), makeRegisters(14)), { message: /different precision/ })
  const bytes = encode(makeRegisters(12))
  t.throws(() => raiseRegisters(makeRegisters(14), openReader(bytes), 19), { message: /wrong length/ })
})
