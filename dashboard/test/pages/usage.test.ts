// What the page of usage computes.
import test from 'ava'
import type { RejectReason } from '../../../src/otlp/reject.ts'
import { outcomes, projectUsage, sumOutcomes } from '../../src/pages/usage/outcomes.ts'
import { namePeriod, readPeriod, shiftPeriod } from '../../src/pages/usage/period.ts'
import { explainReason, type KnownReason, rejectionReasons } from '../../src/pages/usage/rejection-reasons.ts'

const dayMs = 86_400_000
const startMs = Date.parse('2026-11-01T00:00:00Z')
const endMs = startMs + 30 * dayMs
const day = (nth: number, stored: number) => ({
  time: new Date(startMs + nth * dayMs).toISOString(),
  stored,
  duplicate: 2,
  rejected: 3,
  dropped_quota: 5,
  dropped_agent_cap: 7,
})

test('the number of received spans is the sum of all outcomes', (t) => {
  const totals = sumOutcomes([day(0, 100), day(1, 50)])
  t.deepEqual(totals, {
    stored: 150,
    duplicate: 4,
    rejected: 6,
    dropped_quota: 10,
    dropped_agent_cap: 14,
    received: 184,
  })
  t.is(
    outcomes.reduce((sum, { key }) => sum + totals[key], 0),
    totals.received,
  )
  t.is(sumOutcomes([]).received, 0)
})

test('the quota runs out at the pace of the last seven whole days', (t) => {
  const days = Array.from({ length: 30 }, (_, nth) => day(nth, nth < 3 ? 9_999 : nth < 10 ? 100 : 0))
  const facts = { quota: 2_000, nowMs: startMs + 10 * dayMs, endMs }
  const soon = projectUsage(days, { ...facts, used: 1_000 })
  t.is(soon?.exhaustedAtMs, startMs + 20 * dayMs, '1,000 left at 100 a day')
  t.is(soon?.atEnd, 3_000)
  t.is(projectUsage(days, { ...facts, used: 1_000, quota: 3_001 })?.exhaustedAtMs, null, 'not in this period')
  t.is(projectUsage(days, { ...facts, used: 2_000 })?.exhaustedAtMs, null, 'it has run out already')
  t.is(projectUsage(days, { ...facts, used: 0, nowMs: startMs + dayMs / 2 }), null, 'half a day tells nothing')
  t.is(
    projectUsage(days, { ...facts, used: 1_000, nowMs: startMs + 20 * dayMs })?.exhaustedAtMs,
    null,
    'nothing came for a week',
  )
  t.is(
    projectUsage(days, { ...facts, used: 1_000, nowMs: endMs + dayMs })?.atEnd,
    1_000,
    'a past month stays as it was',
  )
})

test('days before the first span do not count in the rate', (t) => {
  const none = { duplicate: 0, rejected: 0, dropped_quota: 0, dropped_agent_cap: 0 }
  const days = Array.from({ length: 30 }, (_, nth) => ({ ...day(nth, nth === 8 || nth === 9 ? 100 : 0), ...none }))
  const young = projectUsage(days, { used: 200, quota: 1_200, nowMs: startMs + 10 * dayMs, endMs })
  t.deepEqual(young, { atEnd: 2_200, exhaustedAtMs: startMs + 20 * dayMs })
  const idle = projectUsage(days, { used: 200, quota: 1_200, nowMs: startMs + 8 * dayMs, endMs })
  t.is(idle, null, 'nothing has come on a whole day')
})

test('months are counted in UTC', (t) => {
  t.is(readPeriod(Date.parse('2026-12-31T23:59:59Z')), '2026-12')
  t.is(shiftPeriod('2026-01', -1), '2025-12')
  t.is(shiftPeriod('2026-12', 1), '2027-01')
  t.is(namePeriod('2026-11'), 'November 2026')
})

test('every rejection reason of the service has a text and a fix, and no text is unused', (t) => {
  // The compiler checks this: a reason that only one side has is a type error here.
  const isComplete: [Exclude<RejectReason, KnownReason>, Exclude<KnownReason, RejectReason>] extends [never, never]
    ? true
    : false = true
  t.true(isComplete)
  for (const { meaning, fix } of Object.values(rejectionReasons)) t.true(meaning.length > 10 && fix.length > 20)
  t.is(explainReason('invalid_trace_id').meaning, rejectionReasons.invalid_trace_id.meaning)
  t.is(explainReason('a_new_reason').meaning, 'a new reason')
  t.is(explainReason('constructor').meaning, 'constructor')
})
