// What the page of savings derives from the responses of the API.
import test from 'ava'
import {
  chooseLonger,
  countUnpricedRules,
  describeNet,
  findLastActive,
  listMoments,
  markMoments,
  type Rule,
  sortRules,
} from '../../src/pages/savings/facts.ts'

const rule = (id: string, net: number, more: Partial<Rule> = {}): Rule => ({
  decision_id: id,
  type: 'reuse_identity',
  state: 'active',
  tool_name: 'search',
  input_hash: null,
  gross_usd: 1,
  holdout_cost_usd: 0,
  cache_loss_usd: 0,
  wrong_cost_usd: 0,
  net_usd: net,
  latency_saved_ms: 0,
  served_calls: 1,
  holdout_calls: 0,
  ...more,
})

test('rules that lose money come first, the worst of them at the top; then the best', (t) => {
  const sorted = sortRules([rule('even', 0), rule('bad', -1), rule('good', 5), rule('worst', -3), rule('fine', 2)])
  t.deepEqual(
    sorted.map(({ decision_id: id }) => id),
    ['worst', 'bad', 'good', 'fine', 'even'],
  )
})

test('rules whose calls have no price are counted', (t) => {
  t.is(
    countUnpricedRules([rule('a', 0, { gross_usd: 0 }), rule('b', 0, { gross_usd: 0, served_calls: 0 }), rule('c', 1)]),
    1,
  )
})

const decision = (id: string, activated: string | null, disabled: string | null = null, before = 'active') => ({
  id,
  config: { tool_name: id },
  state: disabled === null ? 'active' : 'disabled',
  previous_state: before,
  activated_at: activated,
  disabled_at: disabled,
})
const window = { from: '2026-11-20T00:00:00.000Z', to: '2026-11-21T00:00:00.000Z' }

test('starts and ends of serving in the window are numbered in order; close ones share a mark', (t) => {
  const decisions = [
    decision('b', '2026-11-20T10:00:00.000Z', '2026-11-20T10:05:00.000Z'),
    decision('a', '2026-11-20T02:00:00.000Z'),
    decision('before', '2026-11-19T02:00:00.000Z'),
    decision('never', null, '2026-11-20T03:00:00.000Z', 'shadow'),
  ]
  const moments = listMoments(decisions, window)
  t.deepEqual(
    moments.map(({ label, toolName, what }) => `${label} ${toolName} ${what}`),
    ['1 a activated', '2 b activated', '3 b disabled'],
  )
  t.deepEqual(
    markMoments(moments, window).map(({ label }) => label),
    ['1', '2–3'],
  )
  t.is(findLastActive(decisions), Date.parse('2026-11-20T10:00:00.000Z'))
  t.is(findLastActive([decision('never', null)]), null)
})

test('the sentence about net savings shows losses with their sign', (t) => {
  const nowMs = Date.parse('2026-11-20T12:00:00Z')
  const point = (hour: number, net: number) => ({ time: `2026-11-20T0${hour}:00:00.000Z`, net_usd: net })
  const describe = (points: { time: string; net_usd: number }[]): string =>
    describeNet(
      points,
      points.reduce((sum, { net_usd: net }) => sum + net, 0),
      'UTC',
      nowMs,
    )
  t.is(describe([]), 'Net: nothing was saved or lost in this window.')
  t.is(describe([point(1, 0)]), 'Net: nothing was saved or lost in this window.')
  t.is(describe([point(1, 0), point(2, -3)]), 'Net: −$3.00 in total, lowest −$3.00 at Nov 20 02:00.')
  t.is(
    describe([point(1, 4), point(2, -3)]),
    'Net: +$1.00 in total, lowest −$3.00 at Nov 20 02:00, highest +$4.00 at Nov 20 01:00.',
  )
})

test('“Show more time” never shows less time than before', (t) => {
  const choose = (days: number) =>
    chooseLonger({
      from: new Date(Date.UTC(2026, 10, 20) - days * 86_400_000).toISOString(),
      to: '2026-11-20T00:00:00.000Z',
    })
  t.is(choose(1), '30d')
  t.is(choose(30), '90d')
  t.is(choose(45), '90d')
  t.is(choose(90), null)
  t.is(choose(400), null)
})
