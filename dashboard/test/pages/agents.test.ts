// The rows of the list of agents.
import test from 'ava'
import type { Schemas } from '../../src/api/client.ts'
import {
  type AgentRow,
  costChangeOf,
  figureOf,
  findAgents,
  joinAgents,
  orders,
  sortAgents,
} from '../../src/pages/agents/rows.ts'

type Stats = Schemas['BreakdownRow']
type Timeseries = Schemas['StatsTimeseries']

const makeAgent = (id: string, status: 'active' | 'idle' = 'active'): AgentRow['agent'] => ({
  id,
  name: `Agent ${id}`,
  status,
  models: [],
  first_seen: '2026-11-01T00:00:00.000Z',
  last_seen: '2026-11-20T00:00:00.000Z',
})

const makeStats = (key: string, fields: Partial<Stats>): Stats => ({
  key,
  label: key,
  events: 1,
  llm_calls: 0,
  tool_calls: 0,
  served_calls: 0,
  errors: 0,
  input_tokens: 0,
  output_tokens: 0,
  cached_tokens: 0,
  cost_usd: 0,
  p50_duration_ms: 0,
  p95_duration_ms: 0,
  distinct_inputs: 0,
  unpriced_calls: 0,
  ...fields,
})

const agents = [makeAgent('a'), makeAgent('b', 'idle'), makeAgent('c')]
const items = [makeStats('c', { cost_usd: 5, events: 2 }), makeStats('a', { cost_usd: 1, events: 9 })]

test('an agent without a group has no events, unless some groups are not shown', (t) => {
  const whole = joinAgents(agents, { items, other: null }, undefined, undefined)
  t.deepEqual(
    whole.map(({ stats }) => stats?.events),
    [9, 0, 2],
  )
  const cut = joinAgents(agents, { items, other: makeStats('other', {}) }, undefined, undefined)
  t.deepEqual(
    cut.map(({ stats }) => stats?.events ?? null),
    [9, null, 2],
  )
  t.deepEqual(
    joinAgents(agents, undefined, undefined, undefined).map(({ stats }) => stats),
    [null, null, null],
  )
})

test('a sparkline shows the events by bucket', (t) => {
  const point = { time: '2026-11-20T00:00:00.000Z', traces: 0, cache_write_tokens: 0 }
  const timeseries: Timeseries = {
    from_time: point.time,
    to_time: point.time,
    interval_s: 60,
    series: [
      { key: 'a', label: 'Agent a', points: [3, 4].map((events) => ({ ...makeStats('a', { events }), ...point })) },
    ],
  }
  t.deepEqual(
    joinAgents(agents, undefined, timeseries, undefined).map(({ course }) => course),
    [[3, 4], null, null],
  )
})

test('agents have the order of the API, or are sorted by a figure', (t) => {
  const names = (rows: readonly AgentRow[]): string => rows.map(({ agent }) => agent.id).join('')
  const rows = joinAgents(agents, { items, other: makeStats('other', {}) }, undefined, undefined)
  t.is(names(sortAgents(rows, 'last_seen')), 'abc')
  t.is(names(sortAgents(rows, 'cost_usd')), 'cab', 'those without figures come last')
  t.is(names(sortAgents(rows, 'events')), 'acb')
  t.is(names(findAgents(rows, ' AGENT ', undefined)), 'abc')
  t.is(names(findAgents(rows, 't b', undefined)), 'b')
  t.is(names(findAgents(rows, '', 'active')), 'ac')
  t.is(names(findAgents(rows, 'x', undefined)), '')
})

test('agents are sorted by the increase of their cost, those without a known increase last', (t) => {
  const before = [makeStats('a', { cost_usd: 4 }), makeStats('b', { cost_usd: 0.5 })]
  const read = (rows: readonly AgentRow[]) => rows.map((row) => [row.agent.id, costChangeOf(row)])
  const whole = joinAgents(agents, { items, other: null }, undefined, { items: before, other: null })
  t.deepEqual(read(sortAgents(whole, 'cost_change')), [
    ['c', 5],
    ['b', -0.5],
    ['a', -3],
  ])
  const cut = joinAgents(agents, { items, other: null }, undefined, { items: before, other: makeStats('other', {}) })
  t.deepEqual(read(sortAgents(cut, 'cost_change')), [
    ['b', -0.5],
    ['a', -3],
    ['c', null],
  ])
  t.deepEqual(
    joinAgents(agents, { items, other: null }, undefined, undefined).map(costChangeOf),
    [null, null, null],
    'until the figures of the window before have come',
  )
})

test('the request for the window has the figure that the list is sorted by', (t) => {
  t.deepEqual(
    orders.map((order) => figureOf(order)),
    ['events', 'cost_usd', 'cost_usd', 'events', 'errors', 'p95_duration_ms'],
  )
})
