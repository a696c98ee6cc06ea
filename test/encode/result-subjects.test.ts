import test from 'ava'
import { inputSubject, openResultSubjects, scopeSubject, toolSubject } from '../../src/encode/result-subjects.ts'
import type { Event } from '../../src/event/event.ts'
import { makeEvent } from '../_kit/batch.ts'

const attested: Partial<Event> = { kind: 'tool', toolName: 'search', inputHash: 'i', attested: true }

const subjectsOf = (...events: readonly Partial<Event>[]): readonly number[] | null => {
  const subjects = openResultSubjects()
  for (const event of events) subjects.add(makeEvent(event))
  return subjects.finish()
}

test('an attested execution is recorded for its input, and with the claim `unread` for its scope', (t) => {
  const input = inputSubject('search', 'i')
  t.deepEqual(subjectsOf(attested), [input])
  t.deepEqual(subjectsOf({ ...attested, inputHash: null }), [])
  t.deepEqual(subjectsOf({ ...attested, scopeHash: 's' }), [input])
  const unread = { ...attested, attested: false, attestedUnread: true }
  t.deepEqual(subjectsOf({ ...unread, scopeHash: 's' }), [input, scopeSubject('search', 's')])
  t.deepEqual(subjectsOf(unread), [input])
  t.is(subjectsOf(attested, attested, { ...attested, inputHash: 'j' })?.length, 2)
  t.deepEqual(subjectsOf(), [])
})

test('a failed execution ends serving of earlier results, and so does an unattested one of any input', (t) => {
  t.deepEqual(subjectsOf({ ...attested, status: 'error' }), [inputSubject('search', 'i')])
  t.deepEqual(subjectsOf({ ...attested, attested: false }), [toolSubject('search')])
  t.deepEqual(subjectsOf({ ...attested, attested: false, status: 'error' }), [toolSubject('search')])
})

test('a span that is not a real tool call ends nothing', (t) => {
  for (const other of [{ kind: 'llm' }, { toolName: null }, { served: true }] as const)
    t.deepEqual(subjectsOf({ ...attested, ...other }), [], JSON.stringify(other))
})

test('tools, inputs and scopes are told apart', (t) => {
  const subjects = [
    toolSubject('search'),
    toolSubject('searchi'),
    inputSubject('search', 'i'),
    inputSubject('search', ''),
    inputSubject('sear', 'chi'),
    scopeSubject('search', 'i'),
    scopeSubject('search', ''),
  ]
  t.is(new Set(subjects).size, 7)
})

test('above the limit, no inputs are named', (t) => {
  const many = (count: number) => Array.from({ length: count }, (_, nth) => ({ ...attested, inputHash: `i${nth}` }))
  t.is(subjectsOf(...many(500))?.length, 500)
  t.is(subjectsOf(...many(600)), null)
})
