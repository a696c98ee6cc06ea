// How this release handles measures that a later one has written.
import test from 'ava'
import { addFact, type Bucket, makeBucket } from '../../src/sketches/bucket.ts'
import { NewerFormat } from '../../src/sketches/byte-reader.ts'
import { counterAt, counterPlaces } from '../../src/sketches/counters.ts'
import { type Delta, encodeDelta, mergeStoredDelta } from '../../src/sketches/delta.ts'
import { encodeRow, mergeRow, newestVersions, type RowBytes } from '../../src/sketches/row-codec.ts'
import { makeRandom } from '../_kit/random.ts'
import { digests } from './_digests.ts'
import { makeFacts, startMs } from './_facts.ts'

const firstUnknown = Object.keys(counterAt).length
const unknown = [firstUnknown, counterPlaces - 1]

/** Counted by a release with more counters, each of which is `value` everywhere. */
function countAsNewer(seed: number, value: number): Bucket {
  const bucket = makeBucket()
  for (const fact of makeFacts(makeRandom(seed), 50)) addFact(bucket, fact, 1)
  for (const counters of [bucket.total.counters, ...bucket.cells.list.map((cell) => cell.counters)])
    for (const at of unknown) counters[at] = value
  return bucket
}

const read = (...rows: readonly RowBytes[]): Bucket => {
  const bucket = makeBucket()
  for (const row of rows) mergeRow(bucket, row)
  return bucket
}

test('there is a place for each counter, and for some of releases to come', (t) => {
  t.deepEqual(Object.values(counterAt), [...Array(firstUnknown).keys()])
  t.true(counterPlaces >= firstUnknown + 4)
})

test('counters that a newer release added are kept, added up and written again', (t) => {
  const one = encodeRow(countAsNewer(1, 7))
  t.deepEqual(digests(encodeRow(read(one))), digests(one))
  const both = read(encodeRow(read(one, encodeRow(countAsNewer(1, 5)))))
  for (const at of unknown) {
    t.is(both.total.counters[at], 12)
    for (const { counters } of both.cells.list) t.is(counters[at], 12)
  }
  t.is(both.total.counters[counterAt.events], 100)
  // The control: a counter that was never written.
  t.is(both.total.counters[firstUnknown + 1], 0)

  const delta: Delta = new Map([[startMs, countAsNewer(1, 7)]])
  const sum: Delta = new Map()
  mergeStoredDelta(sum, encodeDelta(delta))
  mergeStoredDelta(sum, encodeDelta(delta))
  t.is(sum.get(startMs)?.total.counters[firstUnknown], 14)
})

const begin = (bytes: Buffer, version: number): Buffer => Buffer.concat([Buffer.from([version]), bytes.subarray(1)])

test('a newer version is not treated as damage, in any column', (t) => {
  const row = encodeRow(countAsNewer(2, 0))
  t.notThrows(() => read(row))
  for (const [name, newest] of Object.entries(newestVersions)) {
    const column = name as keyof typeof newestVersions
    t.is(row[column]?.[0], newest)
    const written = (version: number): RowBytes => ({
      ...row,
      [column]: begin(row[column] ?? Buffer.alloc(1), version),
    })
    t.throws(() => read(written(newest + 1)), { instanceOf: NewerFormat, message: /newer release/ })
    t.throws(() => read(written(0)), { message: /corrupt/ })
    t.throws(() => read(written(0x7f)), { message: /corrupt/ })
  }
  const { body, sets } = encodeDelta(new Map([[startMs, countAsNewer(2, 0)]]))
  for (const stored of [
    { body: begin(body, 2), sets },
    { body, sets: begin(sets, 2) },
  ])
    t.throws(() => mergeStoredDelta(new Map(), stored), { instanceOf: NewerFormat })
})
