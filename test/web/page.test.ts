import { randomBytes } from 'node:crypto'
import test from 'ava'
import { cursorLifetimeMs, openCursors } from '../../src/web/page.ts'

const scope = { route: 'events', workspaceId: 'w1', filters: { kind: 'llm', agent_id: undefined, served: true } }

test('a cursor contains its state and the time at which paging began', (t) => {
  const cursors = openCursors([randomBytes(32)], () => 1_000)
  const state = { key: ['2026-11-20 10:00:00.123456+00', 'ab'], n: 3, none: null }
  t.deepEqual(cursors.open(scope, cursors.seal(scope, state)), { ok: true, value: { state, firstReadMs: 1_000 } })
  t.deepEqual(cursors.open(scope, cursors.seal(scope, state, 7)), { ok: true, value: { state, firstReadMs: 7 } })
})

test('a cursor with any one character changed is refused', (t) => {
  const cursors = openCursors([randomBytes(32)])
  const cursor = cursors.seal(scope, ['place', 'id'])
  for (let at = 0; at < cursor.length; at++) {
    for (const character of 'Ab0_-') {
      if (cursor[at] === character) continue
      const altered = cursor.slice(0, at) + character + cursor.slice(at + 1)
      t.false(cursors.open(scope, altered).ok, `character ${at} as ${character}`)
    }
  }
})

test('text that is no cursor is refused', (t) => {
  const cursors = openCursors([randomBytes(32)])
  const cursor = cursors.seal(scope, ['place'])
  for (const text of [
    '',
    'x',
    '💥',
    '='.repeat(99),
    `${cursor}=`,
    `${cursor} `,
    ` ${cursor}`,
    cursor.slice(0, -4),
    `${cursor}AAAA`,
  ]) {
    t.deepEqual(cursors.open(scope, text), { ok: false, code: 'cursor_invalid' }, text)
  }
})

test('a cursor is valid for one list, one workspace, one set of filters and one key', (t) => {
  const cursors = openCursors([randomBytes(32)])
  const cursor = cursors.seal(scope, ['place'])
  t.false(cursors.open({ ...scope, route: 'traces' }, cursor).ok)
  t.false(cursors.open({ ...scope, workspaceId: 'w2' }, cursor).ok)
  t.false(cursors.open({ ...scope, filters: { kind: 'tool', served: true } }, cursor).ok)
  t.false(cursors.open({ ...scope, filters: { kind: 'llm' } }, cursor).ok)
  t.false(cursors.open({ ...scope, filters: { kind: 'llm', served: 'true' } }, cursor).ok)
  t.false(openCursors([randomBytes(32)]).open(scope, cursor).ok)
  t.true(cursors.open({ ...scope, filters: { served: true, kind: 'llm' } }, cursor).ok, 'in another order')
})

test('a cursor ends a day after the first page of its paging, however often it was renewed', (t) => {
  let nowMs = 0
  const cursors = openCursors([randomBytes(32)], () => nowMs)
  const first = cursors.seal(scope, ['place'])
  nowMs = cursorLifetimeMs
  const renewed = cursors.seal(scope, ['further'], 0)
  t.true(cursors.open(scope, first).ok)
  t.true(cursors.open(scope, renewed).ok)
  nowMs++
  t.false(cursors.open(scope, first).ok)
  t.false(cursors.open(scope, renewed).ok)
})

test('a key that is too short to keep a secret is refused', (t) => {
  t.throws(() => openCursors([randomBytes(32), randomBytes(31)]), { message: /32 bytes/ })
  t.throws(() => openCursors([randomBytes(31)]), { message: /32 bytes/ })
})

test('cursors of both keys are read, and new ones are made with the first key', (t) => {
  const [was, is] = [randomBytes(32), randomBytes(32)]
  const both = openCursors([is, was])
  t.true(both.open(scope, openCursors([was]).seal(scope, 1)).ok)
  t.true(openCursors([is]).open(scope, both.seal(scope, 1)).ok)
  t.false(openCursors([was]).open(scope, both.seal(scope, 1)).ok)
})
