import test from 'ava'
import { addFact, type Bucket, makeBucket, makeSketchedBucket, makeTotal } from '../../src/sketches/bucket.ts'
import { countDistinct } from '../../src/sketches/distinct-estimate.ts'
import { quantileUs } from '../../src/sketches/durations.ts'
import { hashText48 } from '../../src/sketches/hash.ts'
import {
  encodeTotal,
  fillHead,
  hasHead,
  makeHead,
  mergeTotal,
  mergeTotalSums,
  readEvents,
} from '../../src/sketches/total-codec.ts'
import { makeRandom } from '../_kit/random.ts'
import { digests } from './_digests.ts'
import { makeFacts } from './_facts.ts'
import { encodeTotalAsBefore } from './_first-total.ts'

function makeCounted(seed: number, count: number, traces: number): Bucket {
  const bucket = makeSketchedBucket()
  for (const [nth, fact] of makeFacts(makeRandom(seed), count).entries()) {
    addFact(bucket, { ...fact, traceHash: hashText48(`trace ${nth % traces}`) }, 1)
  }
  return bucket
}

test('a head has the same values as the whole total, whether its traces are a list or too many for one', (t) => {
  const head = makeHead()
  for (const [seed, traces] of [
    [1, 300],
    [2, 5_000],
    [3, 40],
  ] as const) {
    const bucket = makeCounted(seed, 8_000, traces)
    const whole = encodeTotal(bucket)
    const first = whole.subarray(0, 1_996)
    t.true(hasHead(first))
    fillHead(head, first)
    t.deepEqual(head.counters, bucket.total.counters)
    t.is(head.traces, countDistinct(bucket.total.traces))
    for (const share of [0, 0.5, 0.95, 1]) {
      t.is(quantileUs(head.durations, share), quantileUs(bucket.total.durations, share))
    }
    t.is(readEvents(first), 8_000)
  }
})

test('the head of a total with known traces has their number, and all else is the same', (t) => {
  const facts = makeFacts(makeRandom(9), 8_000).map((fact, nth) => ({
    ...fact,
    traceHash: hashText48(`trace ${nth % 5_000}`),
  }))
  const [known, sketched] = [makeBucket(), makeSketchedBucket()]
  for (const fact of facts) for (const bucket of [known, sketched]) addFact(bucket, fact, 1)
  const heads = [makeHead(), makeHead()] as const
  for (const [at, bucket] of [known, sketched].entries()) fillHead(heads[at] ?? makeHead(), encodeTotal(bucket))
  t.is(heads[0].traces, 5_000)
  t.not(heads[1].traces, 5_000)
  const again = makeSketchedBucket()
  mergeTotal(again.total, encodeTotal(known))
  t.deepEqual(digests(encodeTotal(again)), digests(encodeTotal(sketched)))
})

test('a total without events has an empty head', (t) => {
  const bucket = makeSketchedBucket()
  const [fact] = makeFacts(makeRandom(4), 1)
  if (fact === undefined) throw new Error('no fact')
  addFact(bucket, fact, 1)
  addFact(bucket, fact, -1)
  const head = makeHead()
  fillHead(head, encodeTotal(makeCounted(5, 100, 10)))
  fillHead(head, encodeTotal(bucket))
  t.is(head.traces, 0)
  t.true(head.counters.every((value) => value === 0))
  t.is(quantileUs(head.durations, 0.5), 0)
})

test('a truncated head counts as missing, and data after a head does not matter', (t) => {
  const whole = encodeTotal(makeCounted(6, 2_000, 100))
  const lengths = Array.from({ length: whole.length - 3 }, (_, at) => at + 3)
  const least = lengths.find((length) => hasHead(whole.subarray(0, length))) ?? 0
  t.true(least > 100 && least < whole.length)
  t.true(lengths.every((length) => hasHead(whole.subarray(0, length)) === length >= least))
  t.notThrows(() => fillHead(makeHead(), whole.subarray(0, least)))
  t.throws(() => fillHead(makeHead(), whole.subarray(0, least - 1)), { message: /corrupt/ })
})

test('a total from before there were heads is read, and written with one', (t) => {
  for (const traces of [300, 5_000]) {
    const bucket = makeCounted(7, 8_000, traces)
    const before = encodeTotalAsBefore(bucket)
    t.false(hasHead(before))
    const [filled, head] = [makeHead(), makeHead()]
    fillHead(filled, before)
    fillHead(head, encodeTotal(bucket))
    t.deepEqual(filled, head)
    t.throws(() => fillHead(makeHead(), before.subarray(0, before.length >> 1)), { message: /corrupt/ })
    t.is(readEvents(before), 8_000)
    const again = makeSketchedBucket()
    mergeTotal(again.total, before)
    t.deepEqual(digests(encodeTotal(again)), digests(encodeTotal(bucket)))
    const { counters, durations, traces: distinct } = makeTotal()
    mergeTotalSums({ counters, durations, traces: distinct }, before)
    t.deepEqual(counters, bucket.total.counters)
    t.is(countDistinct(distinct), countDistinct(bucket.total.traces))
    t.is(quantileUs(durations, 0.95), quantileUs(bucket.total.durations, 0.95))
  }
})

test('totals that were read can be added to like totals that were counted', (t) => {
  const facts = makeFacts(makeRandom(8), 4_000)
  for (const sizes of [
    [3_000, 30, 900],
    [30, 3_000, 10],
    [10, 20, 30],
  ]) {
    const [read, counted] = [makeSketchedBucket(), makeSketchedBucket()]
    let from = 0
    for (const size of sizes) {
      const part = makeSketchedBucket()
      for (const fact of facts.slice(from, from + size)) {
        addFact(part, fact, 1)
        addFact(counted, fact, 1)
      }
      mergeTotal(read.total, encodeTotal(part))
      from += size
    }
    t.deepEqual(digests(encodeTotal(read)), digests(encodeTotal(counted)))
  }
})
