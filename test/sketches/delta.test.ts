import test from 'ava'
import { makeBucket, mergeBucket } from '../../src/sketches/bucket.ts'
import {
  addToDelta,
  type Delta,
  eachSets,
  encodeDelta,
  mergeEncodedDelta,
  mergeStoredDelta,
  type StoredDelta,
} from '../../src/sketches/delta.ts'
import { type Fact, makeFact } from '../../src/sketches/fact.ts'
import { encodeRow } from '../../src/sketches/row-codec.ts'
import { makeRandom } from '../_kit/random.ts'
import { inSoak } from '../_kit/soak.ts'
import { digests } from './_digests.ts'
import { makeFacts, startMs } from './_facts.ts'

function collect(facts: readonly Fact[], sign: 1 | -1 = 1): Delta {
  const delta: Delta = new Map()
  for (const fact of facts) addToDelta(delta, fact, sign)
  return delta
}

const encode = (delta: Delta): StoredDelta => encodeDelta(delta)

test('an event belongs to its own minute, whose first microsecond is included', (t) => {
  const facts = makeFacts(makeRandom(1), 1)
  const at = (us: number): number[] => [
    ...collect(facts.map((fact) => ({ ...fact, startUs: startMs * 1_000 + us }))).keys(),
  ]
  t.deepEqual(at(0), [startMs])
  t.deepEqual(at(59_999_999), [startMs])
  t.deepEqual(at(60_000_000), [startMs + 60_000])
  t.deepEqual(at(-1), [startMs - 60_000])
})

test('changes come back from their bytes, merged in any order', (t) => {
  for (let seed = 1; seed <= inSoak(2, 5); seed++) {
    const random = makeRandom(seed)
    const parts = Array.from({ length: 3 }, () => makeFacts(random, random.int(300), 5))
    const whole = encode(collect(parts.flat()))
    for (const order of [parts, parts.toReversed()]) {
      const merged: Delta = new Map()
      for (const part of order) mergeStoredDelta(merged, encode(collect(part)))
      t.deepEqual(digests(encode(merged)), digests(whole))
    }
  }
})

test('a minute with its changes folded in equals a minute counted at once', (t) => {
  const random = makeRandom(3)
  const facts = makeFacts(random, 500)
  // As settling does: the same events again, some of them moved.
  const moved = facts.slice(0, 100)
  const now = moved.map((fact) => ({ ...fact, counted: !fact.counted }))
  const change: Delta = new Map()
  for (const fact of moved) addToDelta(change, fact, -1)
  for (const fact of now) addToDelta(change, fact, 1)

  const delta: Delta = new Map()
  for (const stored of [encode(collect(facts.slice(0, 250))), encode(collect(facts.slice(250))), encode(change)])
    mergeStoredDelta(delta, stored)
  const row = makeBucket()
  mergeBucket(row, delta.get(startMs) ?? makeBucket())
  const expected = collect([...facts.slice(100), ...now]).get(startMs) ?? makeBucket()
  t.deepEqual(digests(encodeRow(row)), digests(encodeRow(expected)))
})

test('a change whose events add up to nothing still brings its traces', (t) => {
  const [stored = makeFact(), arrived = makeFact()] = makeFacts(makeRandom(11), 2)
  const gone = { ...stored, traceHash: 2 ** 16 }
  const come = { ...gone, traceHash: 2 ** 17 }
  const change: Delta = new Map()
  addToDelta(change, gone, -1)
  addToDelta(change, come, 1)
  const row = makeBucket()
  for (const one of [encode(collect([gone, gone, arrived])), encode(change)]) {
    const delta: Delta = new Map()
    mergeStoredDelta(delta, one)
    for (const bucket of delta.values()) mergeBucket(row, bucket)
  }
  const expected = collect([gone, come, arrived]).get(startMs) ?? makeBucket()
  t.deepEqual(digests(encodeRow(row)), digests(encodeRow(expected)))
})

test('a delta of a release without sets is read, and makes the sets of its minutes unknown', (t) => {
  const [before = [], after = []] = [7, 8].map((seed) => makeFacts(makeRandom(seed), 200, 3))
  const sum = collect(before)
  const minutes = new Map(collect(after))
  minutes.delete(startMs)
  mergeStoredDelta(sum, { body: encode(minutes).body, sets: null })
  const whole = collect(before)
  mergeStoredDelta(whole, encode(minutes))
  t.is(sum.size, 3)
  for (const [ms, bucket] of sum) {
    const [row, expected] = [encodeRow(bucket), encodeRow(whole.get(ms) ?? makeBucket())]
    t.deepEqual(digests(row.cells), digests(expected.cells))
    if (ms === startMs) t.deepEqual(digests(row), digests(expected))
    else t.is(row.sets, null)
  }
  // The sets stay dropped, whatever is added.
  mergeStoredDelta(sum, encode(collect(after)))
  t.is(encodeRow(sum.get(startMs + 60_000) ?? makeBucket()).sets, null)
})

test('damaged changes throw', (t) => {
  const { body, sets } = encodeDelta(collect(makeFacts(makeRandom(5), 30, 3)))
  const readers: readonly [Buffer, (bytes: Buffer) => void][] = [
    [body, (bytes) => mergeEncodedDelta(new Map(), bytes)],
    [body, (bytes) => mergeStoredDelta(new Map(), { body: bytes, sets })],
    [sets, (bytes) => mergeStoredDelta(new Map(), { body, sets: bytes })],
    [sets, (bytes) => eachSets(bytes, () => undefined)],
  ]
  for (const [bytes, read] of readers) {
    for (let length = 0; length < bytes.length; length += 7) {
      t.throws(() => read(bytes.subarray(0, length)), { message: /corrupt/ })
    }
    t.throws(() => read(Buffer.concat([bytes, Buffer.from([1])])), { message: /corrupt/ })
  }
  const others = encodeDelta(collect(makeFacts(makeRandom(5), 100, 3).map((fact) => ({ ...fact, startUs: 0 }))))
  t.throws(() => mergeStoredDelta(new Map(), { body, sets: others.sets }), { message: /another minute/ })
  t.throws(() => mergeEncodedDelta(new Map(), Buffer.from([1, 1, 0, 0, 0, 0, 0, 0, 0, 0xf0, 0x7f])), {
    message: /corrupt/,
  })
})
