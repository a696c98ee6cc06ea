import test from 'ava'
import { mergeBars } from '../../src/charts/columns.ts'

const zeroY = 100

test('bars within one column of pixels are drawn as one, as high as the highest; bars of other columns stay separate', (t) => {
  t.deepEqual(mergeBars([10, 10.4, 10.9, 11, 12.2], [90, 70, 80, 95, 60], zeroY, 1), [
    { left: 10, top: 70, bottom: 100 },
    { left: 11, top: 95, bottom: 100 },
    { left: 12, top: 60, bottom: 100 },
  ])
})

test('a column is as wide as a pixel of the page, which may be two of the canvas', (t) => {
  t.deepEqual(mergeBars([10, 11, 12], [90, 80, 70], zeroY, 2), [
    { left: 10, top: 80, bottom: 100 },
    { left: 12, top: 70, bottom: 100 },
  ])
})

test('gains and losses of one column are both drawn', (t) => {
  t.deepEqual(mergeBars([10, 10.5], [80, 130], zeroY, 1), [{ left: 10, top: 80, bottom: 130 }])
})

test('nothing is drawn for missing values and for zero', (t) => {
  t.deepEqual(mergeBars([10, 11, 12], [null, zeroY, null], zeroY, 1), [])
  t.deepEqual(mergeBars([10, 11, 12], [90, null, 80], zeroY, 1), [
    { left: 10, top: 90, bottom: 100 },
    { left: 12, top: 80, bottom: 100 },
  ])
})

test('there are no more columns than pixels, whatever the number of bars', (t) => {
  const bars = 20_000
  const xs = Array.from({ length: bars }, (_, at) => (at * 900) / bars)
  t.is(
    mergeBars(
      xs,
      xs.map((x) => zeroY - 1 - (x % 7)),
      zeroY,
      1,
    ).length,
    900,
  )
})
