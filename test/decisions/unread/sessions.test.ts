import test from 'ava'
import {
  blockUs,
  groupSessions,
  judgeSession,
  type ResultUse,
  readableUs,
  type SessionOutcome,
  type UnreadExecution,
} from '../../../src/decisions/unread/sessions.ts'

const make = (startUs: number, session: string | null, trace = `trace ${startUs}`): UnreadExecution => ({
  start_us: startUs,
  trace_id: trace,
  span_id: 'span',
  session_id: session,
  tool_call_id: 'call',
  is_reported_read: false,
})

test('executions are grouped by session and block; without a session the trace is one', (t) => {
  const executions = [
    make(0, 'a'),
    make(1, null, 'x'),
    make(2, 'a'),
    make(3, null, 'x'),
    make(blockUs - 1, 'b'),
    make(blockUs, 'a'),
  ]
  const groups = groupSessions(executions, 10).map((one) => [one.blockStartUs, one.session, one.executions.length])
  t.deepEqual(groups, [
    [0, 'a', 2],
    [0, 'x', 2],
    [0, 'b', 1],
    [blockUs, 'a', 1],
  ])
})

test('from a crowded block a fixed sample counts, in any order', (t) => {
  const executions = Array.from({ length: 200 }, (_, nth) => make(nth, `session ${nth}`))
  const names = (all: readonly UnreadExecution[]): string[] => groupSessions(all, 50).map(({ session }) => session)
  const sample = names(executions)
  t.is(new Set(sample).size, 50)
  t.deepEqual(new Set(names([...executions].reverse())), new Set(sample))
  // The sample is not just the first sessions of the block.
  t.true(sample.some((session) => Number(session.slice(8)) >= 150))
  t.is(names(executions.slice(0, 50)).length, 50)
})

const read: ResultUse = { is_settled: true, is_read: true }
const unread: ResultUse = { is_settled: true, is_read: false }
const nowhere: ResultUse = { is_settled: true, is_read: null }
const open = (reading: ResultUse): ResultUse => ({ ...reading, is_settled: false })

const soon = 60_000_000
const cases: readonly (readonly [string, readonly ResultUse[], number, SessionOutcome])[] = [
  ['a result that was read is known at once', [open(read)], soon, 'read'],
  ['one read result outweighs all others', [unread, open(nowhere), read], soon, 'read'],
  ['no reading is known before the trace is settled', [open(unread)], soon, 'pending'],
  ['no reading is known once it is settled', [unread], soon, 'unread'],
  ['a result in no prompt says nothing beside another one', [unread, nowhere], soon, 'unread'],
  ['one trace that may change keeps the session open', [unread, open(unread)], soon, 'pending'],
  ['a day later nothing is awaited', [open(unread)], readableUs, 'unread'],
  ['a result may yet come into a prompt', [open(nowhere)], readableUs - 1, 'pending'],
  ['a result of a settled trace that nothing consumed is no trial so far', [nowhere], soon, 'not_consumed'],
  ['a result that nothing consumed within a day is no trial', [nowhere, open(nowhere)], readableUs, 'not_consumed'],
]

test('a result that others than the model may receive counts as used, even in no prompt', (t) => {
  const executions = [make(0, 'a'), { ...make(1, 'a'), is_reported_read: true }]
  t.is(judgeSession(executions, [open(nowhere), open(nowhere)], soon), 'read')
  t.is(judgeSession(executions, [unread, unread], readableUs), 'read')
})

for (const [name, readings, ageUs, outcome] of cases)
  test(name, (t) => {
    const executions = readings.map(() => make(0, 'a'))
    t.is(judgeSession(executions, readings, ageUs), outcome)
  })
