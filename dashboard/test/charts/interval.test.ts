import test from 'ava'
import { compareInterval, scaleAround, scaleAroundZero } from '../../src/charts/interval.ts'
import { liftToLog, logRange, withThreshold } from '../../src/charts/threshold.ts'
import { formatAxis } from '../../src/charts/units.ts'
import { formatEvidence } from '../../src/format/index.ts'

test('an interval lies above its mark, below it or across it', (t) => {
  t.is(compareInterval({ lower: 0.95, upper: 1 }, 0.95), 'above')
  t.is(compareInterval({ lower: 0.9, upper: 1 }, 0.95), 'across')
  t.is(compareInterval({ lower: 0.2, upper: 0.95 }, 0.95), 'below')
  t.is(compareInterval({ lower: 0, upper: 0 }, 0), 'across')
  t.is(compareInterval({ lower: -2, upper: -1 }, 0), 'below')
})

test('scales show the floor and zero', (t) => {
  const { least, most } = scaleAround(0.95)
  t.true(Math.abs(least - 0.8) < 1e-9 && most === 1)
  t.is(scaleAround(0.5).least, 0)
  t.deepEqual(scaleAroundZero({ lower: -1, upper: 0.5 }), { least: -1.2, most: 1.2 })
  t.deepEqual(scaleAroundZero({ lower: 0, upper: 0 }), { least: -1, most: 1 })
})

test('a scale of powers of ten holds the threshold, and no evidence is too little for it', (t) => {
  t.is(liftToLog(0), 0.01)
  t.is(liftToLog(null), null)
  t.is(withThreshold(3, { value: 20, label: '' }), 24)
  t.is(withThreshold(null, null), 0)
  t.deepEqual(
    [logRange(1, 24), logRange(0.01, 24), logRange(1, 900_000)].map((range) => range.map((value) => Math.log10(value))),
    [
      [-1, 2],
      [-2, 2],
      [-1, 6],
    ],
  )
})

test('evidence is never rounded up to what it has not reached', (t) => {
  const texts = [19.96, 20, 0.999, 14.24, 1_204.5, 0, 2_000_000].map(formatEvidence)
  t.deepEqual(texts, ['19.9', '20', '0.99', '14.2', '1,204', '0', 'over 1,000,000'])
  t.is(formatEvidence(null), '—')
  t.deepEqual(
    [0.1, 1, 10, 10_000, 1_000_000].map((value) => formatAxis('evidence', value)),
    ['0.1', '1', '10', '10k', '1M'],
  )
})
