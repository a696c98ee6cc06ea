import test from 'ava'
import { openReader } from '../../src/sketches/byte-reader.ts'
import { openWriter, written } from '../../src/sketches/byte-writer.ts'
import {
  addCount,
  addKey,
  type Durations,
  durationKeyOf,
  isEmptyDurations,
  makeDurations,
  mergeDurations,
  quantileUs,
} from '../../src/sketches/durations.ts'
import { readDurations, writeDurations } from '../../src/sketches/durations-codec.ts'
import { makeRandom, type Random } from '../_kit/random.ts'
import { inSoak } from '../_kit/soak.ts'
import { digests } from './_digests.ts'

const share = (random: Random): number => (random.int(2 ** 31) + 0.5) / 2 ** 31
const normal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(share(random))) * Math.cos(2 * Math.PI * share(random))

const shapes: Record<string, (random: Random) => number> = {
  lognormal: (random) => Math.exp(13 + 1.5 * normal(random)),
  bimodal: (random) => (random.chance(0.5) ? 1_000 + random.int(200) : 4_000_000 + random.int(900_000)),
  uniform: (random) => random.int(60_000_000),
  pareto: (random) => 5_000 / share(random) ** (1 / 1.1),
  constant: () => 1_234,
}

const draw = (shape: (random: Random) => number, seed: number, count: number): number[] => {
  const random = makeRandom(seed)
  return Array.from({ length: count }, () => Math.round(shape(random)))
}

const addDuration = (into: Durations, durationUs: number, sign: 1 | -1): void =>
  addKey(into, durationKeyOf(durationUs), sign)

function sketch(values: readonly number[]): Durations {
  const durations = makeDurations()
  for (const value of values) addDuration(durations, value, 1)
  return durations
}

/** percentile_cont. */
function exactly(sorted: readonly number[], at: number): number {
  const rank = at * (sorted.length - 1)
  const below = sorted[Math.floor(rank)] ?? Number.NaN
  return below + ((sorted[Math.ceil(rank)] ?? Number.NaN) - below) * (rank - Math.floor(rank))
}

const errorOf = (told: number, exact: number): number => (exact === 0 ? told : Math.abs(told - exact) / exact)

const encode = (durations: Durations): Buffer => {
  const writer = openWriter()
  writeDurations(writer, durations)
  return Buffer.from(written(writer))
}

const decode = (bytes: Uint8Array, into = makeDurations()): Durations => {
  readDurations(openReader(bytes), into)
  return into
}

for (const [name, shape] of Object.entries(shapes)) {
  test(`every quantile of a ${name} spread is within 1 % of percentile_cont`, (t) => {
    for (const count of [1, 2, 3, 20, 1_000, 20_000]) {
      for (const seed of count > 1_000 ? [1] : [1, 2, 3, 4, 5]) {
        const values = draw(shape, seed, count)
        const durations = sketch(values)
        const sorted = values.toSorted((a, b) => a - b)
        for (const at of [0, 0.01, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 1]) {
          const exact = exactly(sorted, at)
          const told = quantileUs(durations, at)
          t.true(errorOf(told, exact) <= 0.01, `${count} values, seed ${seed}, at ${at}: ${told}, not ${exact}`)
        }
      }
    }
  })
}

test('the nearest rank alone would not be exact: the quantile is between two ranks', (t) => {
  let worst = 0
  for (let seed = 1; seed <= 20; seed++) {
    const sorted = draw(shapes['bimodal'] ?? (() => 0), seed, 20).toSorted((a, b) => a - b)
    for (const at of [0.5, 0.95]) {
      const nearest = sorted[Math.round(at * (sorted.length - 1))] ?? 0
      worst = Math.max(worst, errorOf(nearest, exactly(sorted, at)))
    }
  }
  t.true(worst > 0.2)
})

test('without durations quantiles are 0, and durations of 0 count', (t) => {
  t.is(quantileUs(makeDurations(), 0.5), 0)
  t.is(quantileUs(sketch([0, 0, 0, 1_000]), 0.5), 0)
  t.true(errorOf(quantileUs(sketch([0, 1_000]), 0.5), 500) <= 0.01)
})

test('the longest and the shortest durations keep their places', (t) => {
  for (const value of [1, 2, 3, 999, 86_400_000_000, Number.MAX_SAFE_INTEGER]) {
    t.true(errorOf(quantileUs(sketch([value]), 0.5), value) <= 0.01, String(value))
  }
})

test('merging is associative and commutative, byte by byte, and equal to adding one by one', (t) => {
  for (let seed = 1; seed <= inSoak(6, 20); seed++) {
    const random = makeRandom(seed)
    const [a, b, c] = Object.values(shapes)
      .slice(0, 3)
      .map((shape) => draw(shape, seed, 1 + random.int(300)))
    const merged = (...parts: (readonly number[] | undefined)[]): Durations => {
      const into = makeDurations()
      for (const part of parts) mergeDurations(into, sketch(part ?? []))
      return into
    }
    const whole = encode(sketch([...(a ?? []), ...(b ?? []), ...(c ?? [])]))
    for (const order of [
      [a, b, c],
      [c, b, a],
      [b, c, a],
    ])
      t.deepEqual(digests(encode(merged(...order))), digests(whole))
    const right = merged(b, c)
    const left = sketch(a ?? [])
    mergeDurations(left, right)
    t.deepEqual(digests(encode(left)), digests(whole))
    const fromBytes = makeDurations()
    for (const part of [b, a, c]) decode(encode(sketch(part ?? [])), fromBytes)
    t.deepEqual(digests(encode(fromBytes)), digests(whole))
  }
})

test('adding and subtracting a value leaves the same bytes', (t) => {
  const kept = draw(shapes['lognormal'] ?? (() => 0), 1, 200)
  const gone = draw(shapes['uniform'] ?? (() => 0), 2, 200)
  const durations = sketch([...kept, ...gone])
  for (const value of gone) addDuration(durations, value, -1)
  t.deepEqual(digests(encode(durations)), digests(encode(sketch(kept))))
  for (const value of kept) addDuration(durations, value, -1)
  t.true(isEmptyDurations(durations))
  t.deepEqual(digests(encode(durations)), digests(encode(makeDurations())))
})

test('a difference is written and read with its signs', (t) => {
  const difference = makeDurations()
  for (const value of [0, 10, 10, 5_000_000]) addDuration(difference, value, -1)
  const durations = sketch([0, 10, 10, 10, 5_000_000])
  decode(encode(difference), durations)
  t.deepEqual(digests(encode(durations)), digests(encode(sketch([10]))))
})

test('counts of every size are read into nothing, into few and into many buckets', (t) => {
  const random = makeRandom(5)
  const counts = [1, 2, 63, 64, 65, 8_191, 8_192, 3_000_000, -1, -63, -64, -9_000]
  for (let round = 0; round < inSoak(20, 60); round++) {
    const steps = [1, 2, 120, 127, 128, 300]
    const buckets = 1 + random.int(60)
    const written = makeDurations()
    const twice = makeDurations()
    let key = random.int(4)
    for (let no = 0; no < buckets && key < 1_700; no++) {
      const count = random.chance(0.7) ? 1 + random.int(63) : random.pick(counts)
      addCount(written, key, count)
      addCount(twice, key, count * 2)
      key += random.chance(0.8) ? 1 + random.int(3) : random.pick(steps)
    }
    const bytes = encode(written)
    t.deepEqual(digests(encode(decode(bytes))), digests(bytes))
    t.deepEqual(digests(encode(decode(bytes, decode(bytes)))), digests(encode(twice)))
    for (const values of [[5], draw(shapes['lognormal'] ?? (() => 0), round, 500)]) {
      const merged = sketch(values)
      mergeDurations(merged, written)
      t.deepEqual(digests(encode(decode(bytes, sketch(values)))), digests(encode(merged)))
    }
  }
})

test('bytes that are cut short or out of order are refused', (t) => {
  const bytes = encode(sketch(draw(shapes['lognormal'] ?? (() => 0), 3, 500)))
  for (let length = 0; length < bytes.length; length++) t.throws(() => decode(bytes.subarray(0, length)))
  t.throws(() => decode(Buffer.from([1, 2, 5, 3, 0, 3])), { message: /out of range/ })
  t.throws(() => decode(Buffer.from([1, 2, 0xff, 0x7f, 3, 5, 3])), { message: /out of range/ })
  t.throws(() => decode(Buffer.from([1, 0xff, 0xff, 0x7f])), { message: /too many buckets/ })
})
