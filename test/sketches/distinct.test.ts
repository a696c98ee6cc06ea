import test from 'ava'
import { openReader } from '../../src/sketches/byte-reader.ts'
import { openWriter, written } from '../../src/sketches/byte-writer.ts'
import {
  addHash,
  clearDistinct,
  type Distinct,
  makeDistinct,
  makeLooseDistinct,
  maxListed,
  mergeDistinct,
  type Precision,
} from '../../src/sketches/distinct.ts'
import { readDistinct, writeDistinct } from '../../src/sketches/distinct-codec.ts'
import { countDistinct } from '../../src/sketches/distinct-estimate.ts'
import { hashText } from '../../src/sketches/hash.ts'
import { makeRandom } from '../_kit/random.ts'
import { inSoak } from '../_kit/soak.ts'
import { digests } from './_digests.ts'

function collect(from: number, to: number, precision: Precision = 14, name = 'thing'): Distinct {
  const distinct = makeDistinct(precision)
  for (let number = from; number < to; number++) addHash(distinct, hashText(`${name} ${number}`))
  return distinct
}

const encode = (distinct: Distinct): Buffer => {
  const writer = openWriter()
  writeDistinct(writer, distinct)
  return Buffer.from(written(writer))
}

const decode = (bytes: Uint8Array, into: Distinct): Distinct => {
  readDistinct(openReader(bytes), into)
  return into
}

test('up to 2,048 things are counted exactly, however often each comes', (t) => {
  for (const count of [0, 1, 2, 100, 2_047, 2_048]) {
    const distinct = collect(0, count)
    for (let number = 0; number < count; number += 3) addHash(distinct, hashText(`thing ${number}`))
    t.is(countDistinct(distinct), count)
  }
})

for (const [precision, names, most] of [
  [14, ['a', 'b', 'c'], inSoak(200_000, 1_000_000)],
  [12, ['a', 'b', 'c', 'd', 'e'], inSoak(60_000, 200_000)],
] as const) {
  test(`above that, a count at precision ${precision} stays within four standard errors up to ${most}`, (t) => {
    const standardError = 1.04 / Math.sqrt(2 ** precision)
    const errors: number[] = []
    for (const name of names) {
      const distinct = makeDistinct(precision)
      let check = maxListed + 1
      for (let number = 1; number <= most; number++) {
        addHash(distinct, hashText(`${name} ${number}`))
        if (number !== check) continue
        const error = countDistinct(distinct) / number - 1
        errors.push(error)
        t.true(Math.abs(error) <= 4 * standardError, `${number} of ${name}: off by ${error}`)
        check = Math.min(most, Math.ceil(check * 1.5))
      }
      t.true(Math.abs(countDistinct(distinct) / most - 1) <= 4 * standardError)
    }
    const spread = Math.sqrt(errors.reduce((sum, error) => sum + error ** 2, 0) / errors.length)
    t.true(spread < 1.5 * standardError, `standard error ${spread}`)
  })
}

test('merging is a union: associative and commutative byte by byte, across the change of form', (t) => {
  const random = makeRandom(1)
  const ranges = [
    [0, 3],
    [2, 40],
    [0, 0],
    [30, 1_500],
    [1_000, 2_500],
    [2_400, 9_000],
  ] as const
  for (let round = 0; round < 20; round++) {
    const count = 1 + random.int(ranges.length)
    const chosen = Array.from({ length: count }, () => random.pick(ranges))
    const oneByOne = makeDistinct(12)
    for (const [from, to] of chosen)
      for (let number = from; number < to; number++) addHash(oneByOne, hashText(`thing ${number}`))
    const merge = (parts: typeof chosen, bytes: boolean): Distinct => {
      const into = makeDistinct(12)
      for (const [from, to] of parts) {
        if (bytes) decode(encode(collect(from, to, 12)), into)
        else mergeDistinct(into, collect(from, to, 12))
      }
      return into
    }
    for (const merged of [merge(chosen, false), merge(chosen.toReversed(), false), merge(chosen, true)]) {
      t.deepEqual(digests(encode(merged)), digests(encode(oneByOne)))
    }
  }
})

test('a set that was merged from another does not change with it', (t) => {
  for (const size of [3, 100, 5_000]) {
    const from = collect(0, size)
    const into = makeDistinct(14)
    mergeDistinct(into, from)
    const before = encode(into)
    for (let number = 0; number < 500; number++) addHash(from, hashText(`more ${number}`))
    t.deepEqual(digests(encode(into)), digests(before))
  }
})

test('every set comes back from its bytes, and is small', (t) => {
  for (const precision of [12, 14] as const) {
    for (const count of [0, 1, 5, 2_048, 2_049, 50_000]) {
      const distinct = collect(0, count, precision)
      const bytes = encode(distinct)
      t.deepEqual(digests(encode(decode(bytes, makeDistinct(precision)))), digests(bytes))
      t.is(countDistinct(decode(bytes, makeDistinct(precision))), countDistinct(distinct))
      t.true(bytes.length <= Math.max(count <= maxListed ? count * 4 + 2 : 0, (2 ** precision * 5) / 8 + 2))
    }
  }
})

test('bytes that are not a set are refused', (t) => {
  const list = encode(collect(0, 300))
  const dense = encode(collect(0, 5_000))
  for (const bytes of [list, dense]) {
    for (const length of [1, 2, 3, 100, bytes.length - 1]) {
      t.throws(() => decode(bytes.subarray(0, length), makeDistinct(14)), { message: /corrupt/ })
    }
    t.throws(() => decode(Buffer.concat([bytes, Buffer.from([0])]), makeDistinct(14)), { message: /corrupt/ })
  }
  t.throws(() => decode(dense, makeDistinct(12)), { message: /wrong precision/ })
  const unordered = Buffer.from(list)
  unordered.fill(0, 2, 10)
  t.throws(() => decode(unordered, makeDistinct(14)), { message: /not sorted/ })
  const wild = Buffer.from(dense)
  wild.fill(0xff, 2)
  t.throws(() => decode(wild, makeDistinct(14)), { message: /rank is out of range/ })
})

test('a set without order counts what one with order does, however it is added to, and again after it was cleared', (t) => {
  const loose = makeLooseDistinct(12)
  for (const sizes of [[3], [1_500, 700], [2_048], [2_049], [0, 2_000, 40, 9_000], [5_000, 10], [7]]) {
    clearDistinct(loose)
    const listed = makeDistinct(12)
    for (const [nth, size] of sizes.entries()) {
      const other = collect(nth * 500, nth * 500 + size, 12)
      mergeDistinct(listed, other)
      if (nth % 2 === 0) decode(encode(other), loose)
      else mergeDistinct(loose, other)
      t.is(countDistinct(loose), countDistinct(listed), sizes.join())
    }
    const again = makeDistinct(12)
    mergeDistinct(again, loose)
    t.deepEqual(digests(encode(again)), digests(encode(listed)))
    mergeDistinct(loose, collect(0, 300, 12, 'other'))
    mergeDistinct(listed, collect(0, 300, 12, 'other'))
    t.is(countDistinct(loose), countDistinct(listed))
  }
  t.throws(() => encode(loose), { message: /unsorted set/ })
})
