import test from 'ava'
import { openContradicted } from '../../src/decode/contradicted.ts'
import type { Event } from '../../src/event/event.ts'
import { makeEvent } from '../_kit/batch.ts'

const decisionId = (nth: number): string => `00000000-0000-7000-8000-${nth.toString(16).padStart(12, '0')}`
const heldOut: Partial<Event> = { kind: 'tool', holdout: true, decisionId: decisionId(1) }

const contradictedBy = (...events: readonly Partial<Event>[]): readonly string[] => {
  const contradicted = openContradicted()
  for (const event of events) contradicted.add(makeEvent(event))
  return contradicted.finish()
}

test('a held-out call that failed or changed contradicts its rule, which is named once', (t) => {
  t.deepEqual(contradictedBy(heldOut), [])
  t.deepEqual(contradictedBy({ ...heldOut, changed: true }, { ...heldOut, status: 'error' }), [decisionId(1)])
  const another = { ...heldOut, changed: true, decisionId: decisionId(2) }
  t.deepEqual(contradictedBy({ ...heldOut, changed: true }, another), [decisionId(1), decisionId(2)])
})

test('so does one whose result cannot be stored, unless its tool attests only that results are unread', (t) => {
  const unstored = { ...heldOut, contentHash: 'unstorable' }
  t.deepEqual(contradictedBy({ ...unstored, attested: true }), [decisionId(1)])
  t.deepEqual(contradictedBy({ ...unstored, attestedUnread: true }), [])
  t.deepEqual(contradictedBy({ ...heldOut, attested: true, contentHash: 'sha256:01' }), [])
})

test('a call that was not held out, or of no rule, contradicts none', (t) => {
  for (const other of [{ holdout: false }, { decisionId: null }, { kind: 'llm' }] as const)
    t.deepEqual(contradictedBy({ ...heldOut, changed: true, ...other }), [], JSON.stringify(other))
})

test('a request names at most 64 rules, and nothing of the one before', (t) => {
  const contradicted = openContradicted()
  for (let nth = 0; nth < 100; nth += 1)
    contradicted.add(makeEvent({ ...heldOut, changed: true, decisionId: decisionId(nth) }))
  t.is(contradicted.finish().length, 64)
  contradicted.clear()
  t.deepEqual(contradicted.finish(), [])
})
