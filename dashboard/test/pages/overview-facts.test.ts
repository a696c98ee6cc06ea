import test from 'ava'
import {
  countUnpriced,
  findNewest,
  isBefore,
  losingRules,
  splitTokens,
  sumCost,
  windowBefore,
} from '../../src/pages/overview/facts.ts'

test('the window before is as long and ends where this one begins', (t) => {
  t.deepEqual(windowBefore({ from: '2026-11-20T00:00:00.000Z', to: '2026-11-21T12:00:00.000Z' }), {
    from: '2026-11-18T12:00:00.000Z',
    to: '2026-11-20T00:00:00.000Z',
  })
})

const tokens = { input_tokens: 1_000, cached_tokens: 600, cache_write_tokens: 100, output_tokens: 50 }

test('tokens are split so that the parts of the input add up to it', (t) => {
  t.deepEqual(splitTokens(tokens), { fresh: 300, cached: 600, written: 100, output: 50 })
})

test('a sender that tells more cached than input tokens makes no negative part', (t) => {
  t.is(splitTokens({ ...tokens, cached_tokens: 2_000 }).fresh, 0)
})

const row = (key: string, cost: number, unpriced: number) => ({
  ...{ key, label: key, events: 1, llm_calls: 1, tool_calls: 0, served_calls: 0, errors: 0, distinct_inputs: 0 },
  ...{ input_tokens: 0, output_tokens: 0, cached_tokens: 0, p50_duration_ms: 0, p95_duration_ms: 0 },
  cost_usd: cost,
  unpriced_calls: unpriced,
})

test('sums hold the rows that are not shown', (t) => {
  const breakdown = { items: [row('a', 2, 0), row('b', 1, 3)], other: row('other', 0.5, 4) }
  t.is(sumCost(breakdown), 3.5)
  t.is(countUnpriced(breakdown), 7)
  t.is(countUnpriced({ ...breakdown, other: null }), 3)
})

test('rules that cost more than they save come worst first', (t) => {
  const rule = (id: string, net: number) => ({
    ...{ decision_id: id, type: 'reuse_identity', state: 'active', tool_name: id, input_hash: null },
    ...{ gross_usd: 0, holdout_cost_usd: 0, cache_loss_usd: 0, wrong_cost_usd: 0, latency_saved_ms: 0 },
    ...{ served_calls: 1, holdout_calls: 0, net_usd: net },
  })
  const decisions = [rule('a', 1), rule('b', -1), rule('c', 0), rule('d', -5)]
  const losing = losingRules({ decisions })
  t.deepEqual(
    losing.map(({ tool_name: name }) => name),
    ['d', 'b'],
  )
})

test('the newest event of any agent', (t) => {
  t.is(findNewest([]), null)
  const agents = [{ last_seen: '2026-11-20T00:00:00Z' }, { last_seen: '2026-11-21T00:00:00Z' }]
  t.is(findNewest(agents), Date.parse('2026-11-21T00:00:00Z'))
  const day = { from: '2026-11-21T00:00:00.000Z', to: '2026-11-22T00:00:00.000Z' }
  t.true(isBefore(Date.parse('2026-11-20T23:59:59.999Z'), day))
  t.false(isBefore(Date.parse(day.from), day))
})
