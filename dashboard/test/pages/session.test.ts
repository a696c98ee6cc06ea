import test from 'ava'
import { listSession, runTotals, type SessionTrace } from '../../src/pages/session/totals.ts'

const trace = (minute: number, facts: Partial<SessionTrace> = {}): SessionTrace => ({
  trace_id: `${minute}`,
  start_time: new Date(minute * 60_000).toISOString(),
  duration_ms: 1_000,
  error_count: 0,
  llm_calls: 1,
  tool_calls: 2,
  served_calls: 1,
  input_tokens: 10,
  output_tokens: 5,
  cost_usd: 0.5,
  unpriced_calls: 0,
  ...facts,
})

test('traces are in order of time, each with what the session had used by then', (t) => {
  const rows = runTotals([trace(9, { error_count: 3 }), trace(2), trace(5, { cost_usd: null, unpriced_calls: 1 })])
  t.deepEqual(
    rows.map(({ trace: { trace_id: id }, total }) => [id, total.tokens, total.costUsd, total.unpricedCalls]),
    [
      ['2', 15, 0.5, 0],
      ['5', 30, 0.5, 1],
      ['9', 45, 1, 1],
    ],
  )
  t.like(rows.at(-1)?.total, { traces: 3, failed: 1, servedCalls: 3, lastedMs: 7 * 60_000 + 1_000 })
})

test('a session without any price has none, and one without a trace has no rows', (t) => {
  t.is(runTotals([trace(1, { cost_usd: null })])[0]?.total.costUsd, null)
  t.deepEqual(runTotals([]), [])
})

test('the link to the list of traces has the window of the session, whatever the page had before', (t) => {
  const { from_time: from, to_time: to, ...rest } = listSession('s 1', runTotals([trace(9), trace(2)]))
  t.deepEqual(rest, { session_id: 's 1', agent_id: null, range: null })
  t.is(from, new Date(2 * 60_000).toISOString())
  t.true(to > new Date(9 * 60_000).toISOString(), 'the end of a window is not part of it')
})
