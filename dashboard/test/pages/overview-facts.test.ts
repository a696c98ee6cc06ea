import test from 'ava'
import {
  countEvents,
  disabledIn,
  findNewest,
  findTrip,
  isBefore,
  listTrips,
  losingRules,
  sumCost,
} from '../../src/pages/overview/facts.ts'

const row = (key: string, cost: number) => ({
  key,
  label: key,
  events: 1,
  llm_calls: 1,
  tool_calls: 0,
  served_calls: 0,
  errors: 0,
  distinct_inputs: 0,
  input_tokens: 0,
  output_tokens: 0,
  cached_tokens: 0,
  p50_duration_ms: 0,
  p95_duration_ms: 0,
  cost_usd: cost,
  unpriced_calls: 0,
})

test('sums include the rows that are not shown', (t) => {
  const breakdown = { items: [row('a', 2), row('b', 1)], other: row('other', 0.5) }
  t.is(sumCost(breakdown), 3.5)
  t.is(countEvents(breakdown), 3)
  t.is(countEvents({ ...breakdown, other: null }), 2)
})

test('rules that cost more than they save come worst first', (t) => {
  const rule = (id: string, net: number) => ({
    decision_id: id,
    type: 'reuse_identity',
    state: 'active',
    tool_name: id,
    input_hash: null,
    gross_usd: 0,
    holdout_cost_usd: 0,
    cache_loss_usd: 0,
    wrong_cost_usd: 0,
    latency_saved_ms: 0,
    served_calls: 1,
    holdout_calls: 0,
    net_usd: net,
  })
  const decisions = [rule('a', 1), rule('b', -1), rule('c', 0), rule('d', -5)]
  const losing = losingRules({ decisions })
  t.deepEqual(
    losing.map(({ tool_name: name }) => name),
    ['d', 'b'],
  )
})

test('the time of the newest event is that of any agent', (t) => {
  t.is(findNewest([]), null)
  const agents = [{ last_seen: '2026-11-20T00:00:00Z' }, { last_seen: '2026-11-21T00:00:00Z' }]
  t.is(findNewest(agents), Date.parse('2026-11-21T00:00:00Z'))
  const day = { from: '2026-11-21T00:00:00.000Z', to: '2026-11-22T00:00:00.000Z' }
  t.true(isBefore(Date.parse('2026-11-20T23:59:59.999Z'), day))
  t.false(isBefore(Date.parse(day.from), day))
})

test('rules that served and were disabled in the window are listed', (t) => {
  const window = { from: '2026-11-20T00:00:00.000Z', to: '2026-11-21T00:00:00.000Z' }
  const rule = (previous_state: string | null, disabled_at: string | null) => ({ previous_state, disabled_at })
  const inside = rule('active', '2026-11-20T12:00:00.000Z')
  const decisions = [
    inside,
    rule('shadow', '2026-11-20T12:00:00.000Z'),
    rule('active', window.to),
    rule('active', '2026-11-19T23:59:59.999Z'),
    rule('active', null),
  ]
  t.deepEqual(disabledIn(decisions, window), [inside])
})

test('a rule is tripped where the gate made its last move', (t) => {
  const move = (to_state: string, actor: 'gate' | 'user', at: string) => ({ to_state, actor, at })
  const active = move('active', 'gate', '2026-11-20T00:00:00.000Z')
  const byGate = move('disabled', 'gate', '2026-11-21T00:00:00.000Z')
  const byUser = move('disabled', 'user', '2026-11-22T00:00:00.000Z')
  t.is(findTrip([active, byGate]), byGate)
  t.is(findTrip([byGate, active]), byGate)
  t.is(findTrip([active, byGate, byUser]), null)
  t.is(findTrip([]), null)
})

test('rules that people disabled do not hide one that the gate disabled', (t) => {
  const at = '2026-11-21T00:00:00.000Z'
  const trailOf = (actor: 'gate' | 'user') => [{ to_state: 'disabled', actor, at }]
  const rules = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((id) => ({
    previous_state: 'active',
    disabled_at: at,
    id,
  }))
  const ended = disabledIn(rules, { from: '2026-11-20T00:00:00.000Z', to: '2026-11-22T00:00:00.000Z' })
  const trips = listTrips(
    ended,
    ended.map(({ id }) => (id < 'd' ? trailOf('user') : id === 'e' ? undefined : trailOf('gate'))),
  )
  t.deepEqual(
    trips.map(({ decision: { id } }) => id),
    ['d', 'f', 'g'],
  )
})
