// The cursor and a drag over a chart select whole buckets.
import test from 'ava'
import { findBucket, findCut, findEnd, moveCursor, selectBuckets } from '../../src/charts/buckets.ts'

const hourMs = 3_600_000
const zone = 'America/New_York'
const start = Date.parse('2026-11-20T00:00:00Z')
const hours = Array.from({ length: 24 }, (_, nth) => start + nth * hourMs)
// Days of New York around the change of the clocks on November 1, as the API splits them.
const days = ['2026-10-31T04:00:00Z', '2026-11-01T04:00:00Z', '2026-11-02T05:00:00Z'].map((iso) => Date.parse(iso))

test('a time belongs to the bucket that starts at it or before it', (t) => {
  t.is(findBucket(hours, start), 0)
  t.is(findBucket(hours, start + hourMs - 1), 0)
  t.is(findBucket(hours, start + hourMs), 1)
  t.is(findBucket(hours, start - 1), 0)
  t.is(findBucket(hours, start + 99 * hourMs), 23)
  t.is(findBucket([], start), null)
})

test('a drag takes whole buckets, in either direction', (t) => {
  const bounds = { from: '2026-11-20T02:00:00.000Z', to: '2026-11-20T05:00:00.000Z' }
  t.deepEqual(selectBuckets(hours, hourMs, zone, [start + 2.5 * hourMs, start + 4.1 * hourMs]), bounds)
  t.deepEqual(selectBuckets(hours, hourMs, zone, [start + 4.1 * hourMs, start + 2.5 * hourMs]), bounds)
  t.deepEqual(selectBuckets(hours, hourMs, zone, [start, start]), {
    from: '2026-11-20T00:00:00.000Z',
    to: '2026-11-20T01:00:00.000Z',
  })
  t.is(selectBuckets([], hourMs, zone, [start, start]), null)
})

test('a day of 25 hours ends where the next begins, the last of the chart too', (t) => {
  const noon = Date.parse('2026-11-01T17:00:00Z')
  const wholeDay = { from: '2026-11-01T04:00:00.000Z', to: '2026-11-02T05:00:00.000Z' }
  for (const starts of [days, days.slice(0, 2)]) {
    t.is(findEnd(starts, 1, 24 * hourMs, zone) - (starts[1] ?? 0), 25 * hourMs)
    t.deepEqual(selectBuckets(starts, 24 * hourMs, zone, [noon, noon]), wholeDay)
  }
  t.is(findEnd(days, 2, 24 * hourMs, zone) - (days[2] ?? 0), 24 * hourMs)
})

test('a day of 23 hours at the end of a chart does not reach into the next day', (t) => {
  const march = ['2026-03-07T05:00:00Z', '2026-03-08T05:00:00Z'].map((iso) => Date.parse(iso))
  t.is(findEnd(march, 1, 24 * hourMs, zone) - (march[1] ?? 0), 23 * hourMs)
})

test('a day that is cut in another zone has 24 hours', (t) => {
  const utc = ['2026-10-31T00:00:00Z', '2026-11-01T00:00:00Z'].map((iso) => Date.parse(iso))
  t.is(findEnd(utc, 1, 24 * hourMs, zone) - (utc[1] ?? 0), 24 * hourMs)
})

test('keys move the cursor and stop at the ends', (t) => {
  t.is(moveCursor('ArrowRight', 3, 24), 4)
  t.is(moveCursor('ArrowRight', 23, 24), 23)
  t.is(moveCursor('ArrowLeft', 0, 24), 0)
  t.is(moveCursor('ArrowLeft', null, 24), 23, 'the newest first')
  t.is(moveCursor('PageUp', 12, 24), 2)
  t.is(moveCursor('PageDown', 20, 24), 23)
  t.is(moveCursor('Home', 12, 24), 0)
  t.is(moveCursor('End', null, 24), 23)
  t.is(moveCursor('a', 12, 24), null)
  t.is(moveCursor('constructor', 12, 24), null)
  t.is(moveCursor('Home', null, 0), null)
})

test('the first and the last bucket are cut where the window includes only a part of them', (t) => {
  const at = (ms: number): string => new Date(ms).toISOString()
  const end = start + 24 * hourMs
  t.deepEqual(findCut(hours, hourMs, zone, { from: at(start), to: at(end) }), [])
  t.deepEqual(findCut(hours, hourMs, zone, { from: at(start + 1), to: at(end) }), [start])
  t.deepEqual(findCut(hours, hourMs, zone, { from: at(start), to: at(end - 1) }), [end - hourMs])
  t.deepEqual(findCut([start], hourMs, zone, { from: at(start + 1), to: at(start + 2) }), [start, start])
  t.deepEqual(findCut([], hourMs, zone, { from: at(start), to: at(end) }), [])
})
