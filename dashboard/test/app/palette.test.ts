import test from 'ava'
import { type Entry, findEntries, isIdLike, pathOf } from '../../src/app/palette/entries.ts'

const entryOf = (label: string, group: string): Entry => ({ id: `${group} ${label}`, label, group, path: '/' })
const all = [
  entryOf('Overview', 'Page'),
  entryOf('Live', 'Page'),
  entryOf('live-desk', 'Agent'),
  entryOf('delivery', 'Agent'),
]

test('a search result contains every word in its name or kind; names that begin with the text come first', (t) => {
  const names = (text: string): string[] => findEntries(all, text).map(({ label }) => label)
  t.deepEqual(names(' LIVE'), ['Live', 'live-desk', 'delivery'])
  t.deepEqual(names('agent live'), ['live-desk', 'delivery'])
  t.deepEqual(names('nothing'), [])
  t.is(names('').length, 4)
})

test('check 17: each id leads to the page of its object, and ids of digits are not changed', (t) => {
  t.is(pathOf({ kind: 'session', id: '12345678901234567890' }), '/sessions/12345678901234567890')
  t.is(pathOf({ kind: 'session', id: 'a/b?c' }), '/sessions/a%2Fb%3Fc')
  t.is(
    pathOf({ kind: 'span', id: '662e410000000000', trace_id: '1'.repeat(32) }),
    `/traces/${'1'.repeat(32)}?span=662e410000000000`,
  )
  t.is(pathOf({ kind: 'decision', id: 'x' }), '/decisions/x')
  t.is(pathOf({ kind: 'finding', id: 'x' }), '/findings?finding=x')
})

test('ids are distinguished from names', (t) => {
  for (const id of [
    '1'.repeat(32),
    '662e410000000000',
    `${'a'.repeat(32)}.${'b'.repeat(16)}`,
    '01a20b03-5615-73ce-a55a-6fc987f5c1b6',
  ])
    t.true(isIdLike(id), id)
  for (const id of ['support', '12', 'a'.repeat(31)]) t.false(isIdLike(id), id)
})
