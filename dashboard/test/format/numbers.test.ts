// The format of values. Each row is one case: the input, and the expected text.
import test from 'ava'
import {
  countOf,
  describeCostDelta,
  describeLatencyDelta,
  describeSaving,
  exact,
  explainUnpriced,
  formatChange,
  formatCount,
  formatDuration,
  formatEvidenceOf,
  formatFraction,
  formatShare,
  formatSignedDuration,
  formatSignedUsd,
  formatTokens,
  formatUsd,
  formatUsdExact,
  formatUsdRate,
  formatUsdSum,
} from '../../src/format/index.ts'

type Cases<In extends readonly unknown[]> = readonly (readonly [string, ...In])[]

function checkAll<In extends readonly unknown[]>(title: string, format: (...values: In) => string, cases: Cases<In>) {
  test(title, (t) => {
    for (const [text, ...values] of cases) t.is(format(...(values as unknown as In)), text, JSON.stringify(values))
  })
}

checkAll('tokens: in full up to 9,999, then three digits', formatTokens, [
  ['0', 0],
  ['1', 1],
  ['842', 842],
  ['9,999', 9_999],
  ['10.0k', 10_000],
  ['12.4k', 12_399],
  ['124k', 123_999],
  ['999k', 999_499],
  ['1.00M', 999_500],
  ['3.21M', 3_210_000],
  ['48.2M', 48_151_623],
  ['1.00B', 999_999_999],
  ['7.25T', 7_250_000_000_000],
  ['−12.4k', -12_400],
  ['—', null],
])

checkAll('counts: in full', formatCount, [
  ['0', 0],
  ['43,120', 43_120],
  ['−7', -7],
  ['1,234,567', 1_234_567],
  ['—', null],
])

checkAll('USD: digits by size, zero only for zero', formatUsd, [
  ['$0', 0],
  ['—', null],
  ['$12,345', 12_345],
  ['$12,346', 12_345.5],
  ['$1,000', 1_000],
  ['$1,000', 999.995],
  ['$999.99', 999.994],
  ['$12.34', 12.34],
  ['$1.01', 1.005],
  ['$1.00', 0.99996],
  ['$0.9999', 0.9999],
  ['$0.0423', 0.0423],
  ['$0.5000', 0.5],
  ['$0.0100', 0.01],
  ['$0.0100', 0.00996],
  ['$0.0099', 0.0099],
  ['$0.00042', 0.00042],
  ['$0.00042', 0.000_424_9],
  ['$0.000000014', 1.4e-8],
  ['−$0.0031', -0.0031],
  ['−$3.50', -3.5],
])

checkAll('sums that lack prices: at least, or a dash, never zero', formatUsdSum, [
  ['$12.34', 12.34, 0],
  ['≥ $12.34', 12.34, 3],
  ['—', 0, 3],
  ['—', null, 1],
  ['$0', 0, 0],
])

checkAll(
  'amounts without a price: a dash',
  (calls: number, model: string | null) => explainUnpriced(calls, model) ?? 'nothing',
  [
    ['nothing', 0, null],
    ['1 call has no price', 1, null],
    ['1,204 calls have no price', 1_204, null],
    ['no price for model llama-x', 2, 'llama-x'],
  ],
)

checkAll(
  'USD in full, and by a million tokens',
  (usd: number | null) => `${formatUsdExact(usd)} ${formatUsdRate(usd)}`,
  [
    ['$2.5 $2.50 per 1M', 2.5],
    ['$0.000000014 $0.000000014 per 1M', 1.4e-8],
    ['$12,345.678901 $12,346 per 1M', 12_345.678_901],
    ['— —', null],
  ],
)

checkAll('durations', formatDuration, [
  ['—', null],
  ['0 ms', 0],
  ['0.0042 ms', 0.0042],
  ['0.42 ms', 0.42],
  ['1.0 ms', 0.9996],
  ['4.2 ms', 4.2],
  ['10 ms', 9.96],
  ['842 ms', 842.3],
  ['1.00 s', 999.6],
  ['9.99 s', 9_990],
  ['12.4 s', 12_400],
  ['59.9 s', 59_900],
  ['1m 00s', 59_960],
  ['3m 12s', 192_000],
  ['1h 00m', 3_599_600],
  ['2h 05m', 7_500_000],
  ['1d 00h', 86_399_000],
  ['3d 04h', 273_600_000],
  ['−250 ms', -250],
])

checkAll('shares: enough digits to differ from 0 % and 100 %', formatShare, [
  ['3 of 3', 3, 3],
  ['0 of 19', 0, 19],
  ['—', 0, 0],
  ['100 %', 20, 20],
  ['0 %', 0, 20],
  ['99.97 %', 9_997, 10_000],
  ['99.99 %', 9_999, 10_000],
  ['99.9 %', 999, 1_000],
  ['50.0 %', 50, 100],
  ['33.3 %', 100, 300],
  ['0.02 %', 2, 10_000],
  ['99.9999 %', 999_999, 1_000_000],
])

checkAll('fractions', formatFraction, [
  ['—', null],
  ['95.0 %', 0.95],
  ['99.96 %', 0.9996],
  ['142.0 %', 1.42],
])

checkAll('differences carry their sign', formatSignedUsd, [
  ['+$1.20', 1.2],
  ['−$0.0031', -0.0031],
  ['$0', 0],
  ['—', null],
])

checkAll('differences of durations', formatSignedDuration, [
  ['+420 ms', 420],
  ['−1.50 s', -1_500],
  ['0 ms', 0],
  ['—', null],
])

test('a sign comes with its word and its tone', (t) => {
  const cases = [
    [describeCostDelta(-0.0031), '−$0.0031 per call, saves', 'good'],
    [describeCostDelta(0.5), '+$0.5000 per call, costs', 'bad'],
    [describeCostDelta(0), '$0 per call, no change', 'even'],
    [describeCostDelta(null), '—', 'even'],
    [describeLatencyDelta(-420), '−420 ms per call, faster', 'good'],
    [describeLatencyDelta(null), '—', 'even'],
    [describeSaving(12.34), '+$12.34, saved', 'good'],
    [describeSaving(-3), '−$3.00, lost', 'bad'],
    [describeSaving(null), '—', 'even'],
  ] as const
  for (const [effect, text, tone] of cases) t.deepEqual([effect.text, effect.tone], [text, tone])
  t.deepEqual(describeSaving(-3), { text: '−$3.00, lost', amount: '−$3.00', word: 'lost', tone: 'bad' })
})

test('changes against the window before', (t) => {
  t.deepEqual(formatChange(112.3, 100), { text: '+12.3 %', direction: 'up' })
  t.deepEqual(formatChange(50, 100), { text: '−50.0 %', direction: 'down' })
  t.deepEqual(formatChange(0, 100), { text: '−100.0 %', direction: 'down' })
  t.deepEqual(formatChange(100.01, 100), { text: '0.0 %', direction: 'same' })
  t.deepEqual(formatChange(1_400, 100), { text: '×14.0', direction: 'up' })
  t.is(formatChange(5, 0), null)
  t.is(formatChange(5, null), null)
  t.is(formatChange(null, 5), null)
})

test('a count of one has a singular noun', (t) => {
  t.is(countOf(1, 'trace'), '1 trace')
  t.is(countOf(0, 'trace'), '0 traces')
  t.is(countOf(43_120, 'trace'), '43,120 traces')
})

test('the exact form has no exponent and no more digits than the number', (t) => {
  t.is(exact(1e-7), '0.0000001')
  t.is(exact(0.1), '0.1')
  t.is(exact(1_234_567.25), '1,234,567.25')
  t.is(exact(-2), '−2')
  t.is(exact(25_738.69999999996), '25,738.7')
  t.is(exact(9_888.79999999999), '9,888.8')
  t.is(exact(9_007_199_254_740_991), '9,007,199,254,740,991')
})

test('evidence is a part of what is needed until there is enough of it', (t) => {
  t.is(formatEvidenceOf(14.24, 20), '14.2 of 20')
  t.is(formatEvidenceOf(20, 20), '20, 20 needed')
  t.is(formatEvidenceOf(2_000_000, 20), 'over 1,000,000, 20 needed')
  t.is(formatEvidenceOf(null, 20), '— of 20')
})
