import test from 'ava'
import { makeAxis, placeOf, ticksOf, timeAt, wholeAxis, zoomBetween, zoomTo } from '../../src/trace/axis.ts'
import { buildTree } from '../../src/trace/tree.ts'
import { originMs, span } from './_spans.ts'

const hourMs = 3_600_000

/** Two bursts of ten calls of 100 ms, an hour apart, below one span of an agent. */
const waiting = buildTree([
  span('root', { kind: 'agent', duration_ms: hourMs + 2_000 }),
  ...Array.from({ length: 20 }, (_, at) =>
    span(`call ${at}`, { atMs: at * 100 + (at < 10 ? 0 : hourMs), parent: 'root', duration_ms: 90 }),
  ),
])

test('the plain axis is linear from the first start to the last end', (t) => {
  const axis = makeAxis(waiting, false)
  t.is(placeOf(axis, originMs), 0)
  t.is(placeOf(axis, originMs + hourMs + 2_000), 1)
  t.is(placeOf(axis, originMs + (hourMs + 2_000) / 4), 0.25)
  t.is(placeOf(axis, originMs - 5), 0)
  t.is(placeOf(axis, originMs + 2 * hourMs), 1)
})

test('the compressed axis squeezes an hour of waiting and keeps the calls in proportion', (t) => {
  const axis = makeAxis(waiting, true)
  t.is(axis.squeezed.filter(Boolean).length, 1)
  const first = placeOf(axis, originMs + 990)
  t.true(first > 0.4 && first < 0.5, `the first burst ends at ${first}`)
  t.true(placeOf(axis, originMs + hourMs + 1_000) < 0.6)
  const width = (ms: number): number => placeOf(axis, originMs + ms + 90) - placeOf(axis, originMs + ms)
  t.true(Math.abs(width(0) - width(hourMs + 1_900)) < 1e-9)
})

test('a position is converted back to its time on both axes', (t) => {
  for (const axis of [makeAxis(waiting, false), makeAxis(waiting, true)])
    for (const ms of [0, 55, 980, 990, 5_000, hourMs, hourMs + 1_500])
      t.true(Math.abs(timeAt(axis, placeOf(axis, originMs + ms)) - originMs - ms) < 0.01)
})

test('a long call is not idle', (t) => {
  const tree = buildTree([
    span('root', { kind: 'agent', duration_ms: 61_000 }),
    span('long', { atMs: 500, parent: 'root', duration_ms: 60_000 }),
    ...Array.from({ length: 20 }, (_, at) => span(`s${at}`, { atMs: at * 10, parent: 'root' })),
  ])
  const axis = makeAxis(tree, true)
  t.true(placeOf(axis, originMs + 60_500) - placeOf(axis, originMs + 500) > 0.98)
})

test('a trace of one moment has an axis', (t) => {
  const tree = buildTree([span('only', { duration_ms: 0 })])
  for (const isCompressed of [false, true]) t.is(placeOf(makeAxis(tree, isCompressed), originMs), 0)
  t.is(placeOf(makeAxis(buildTree([]), true), 0), 0)
})

test('zoom to a span leaves a tenth of room beside it, and stays on the axis', (t) => {
  const tree = buildTree([
    span('root', { duration_ms: 1_000 }),
    span('a', { atMs: 500, parent: 'root', duration_ms: 100 }),
  ])
  const axis = makeAxis(tree, false)
  const zoom = zoomTo(tree, axis, 1)
  t.true(Math.abs(zoom.from - 0.49) < 1e-9 && Math.abs(zoom.to - 0.61) < 1e-9)
  t.deepEqual(zoomTo(tree, axis, 0), wholeAxis)
  t.deepEqual(zoomBetween(0.7, 0.2), { from: 0.2, to: 0.7 })
  const point = zoomBetween(1, 1)
  t.true(point.to > point.from)
})

test('labels stand on round numbers and do not crowd in a squeezed stretch', (t) => {
  const tree = buildTree([span('root', { duration_ms: 1_000 })])
  t.deepEqual(ticksOf(makeAxis(tree, false), wholeAxis, 5), [0, 200, 400, 600, 800, 1_000])
  const long = buildTree([span('root', { duration_ms: 3 * hourMs })])
  t.deepEqual(
    ticksOf(makeAxis(long, false), wholeAxis, 6),
    [0, 1, 2, 3, 4, 5, 6].map((half) => (half * hourMs) / 2),
  )
  t.true(ticksOf(makeAxis(waiting, true), wholeAxis, 6).length <= 12)
})
