import test from 'ava'
import { duration, percent, usd } from '../../src/findings/wording.ts'

test('a share is written as 100 % or 0 % only if it is exact', (t) => {
  t.is(percent(0.042), '4.2 %')
  t.is(percent(0.42), '42 %')
  t.is(percent(1), '100 %')
  t.is(percent(0), '0.0 %')
  t.is(percent(0.997), '99.7 %')
  t.is(percent(0.99997), '99.997 %')
  t.is(percent(0.0004), '0.04 %')
})

test('an amount has no exponent, and reaches a dollar as a dollar', (t) => {
  t.is(usd(12.3), '$12.30')
  t.is(usd(0), '$0.00')
  t.is(usd(0.042), '$0.042')
  t.is(usd(0.997), '$1.00')
  t.is(usd(0.994), '$0.99')
  t.is(usd(0.000_000_05), '$0.000000050')
})

test('a duration that rounds to a thousand milliseconds is written in seconds', (t) => {
  t.is(duration(850), '850 ms')
  t.is(duration(999.7), '1.0 s')
  t.is(duration(119_940), '119.9 s')
  t.is(duration(119_960), '2.0 min')
  t.is(duration(192_000), '3.2 min')
})
