import test from 'ava'
import type { Event } from '../../../src/otlp/event.ts'
import { openResultSubjects, subjectOf } from '../../../src/otlp/rows/result-subjects.ts'
import { makeEvent } from '../../_kit/batch.ts'

const encrypted = { ciphertext: Buffer.alloc(1), iv: Buffer.alloc(12), tag: Buffer.alloc(16), keyId: 'key' }
const candidate: Partial<Event> = {
  kind: 'tool',
  toolName: 'search',
  inputHash: 'i',
  contentHash: 'content',
  attested: true,
  encrypted,
}

const subjectsOf = (...events: readonly Partial<Event>[]): readonly number[] | null => {
  const subjects = openResultSubjects()
  for (const event of events) subjects.add(makeEvent(event))
  return subjects.finish()
}

test('a result is one of its tool, and of its tool and input', (t) => {
  t.deepEqual(subjectsOf(candidate), [subjectOf('search', null), subjectOf('search', 'i')])
  t.deepEqual(subjectsOf({ ...candidate, inputHash: null }), [subjectOf('search', null)])
  t.is(subjectsOf(candidate, candidate, { ...candidate, inputHash: 'j' })?.length, 3)
  t.deepEqual(subjectsOf(), [])
})

test('what may never be served is no result', (t) => {
  const others: Partial<Event>[] = [
    { kind: 'llm' },
    { toolName: null },
    { status: 'error' },
    { attested: false },
    { served: true },
    { contentHash: null },
    { encrypted: null },
  ]
  for (const fault of others) t.deepEqual(subjectsOf({ ...candidate, ...fault }), [], JSON.stringify(fault))
})

test('tools and inputs are told apart', (t) => {
  const subjects = [
    subjectOf('search', null),
    subjectOf('search', ''),
    subjectOf('sear', 'ch'),
    subjectOf('searchi', null),
  ]
  t.is(new Set([...subjects, subjectOf('search', 'i')]).size, 5)
})

test('of very many nothing is said', (t) => {
  const many = (count: number) => Array.from({ length: count }, (_, nth) => ({ ...candidate, inputHash: `i${nth}` }))
  t.is(subjectsOf(...many(500))?.length, 501)
  t.is(subjectsOf(...many(600)), null)
})
