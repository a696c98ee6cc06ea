import { readFileSync } from 'node:fs'
import test from 'ava'
import { auditActions, listDetail, nameAction, nameActor } from '../../src/settings/audit-words.ts'

const schema = readFileSync(new URL('../../src/api/schema.ts', import.meta.url), 'utf8')

const line = {
  id: 'line',
  at: '2026-01-01T00:00:00.000Z',
  action: 'workspace.change',
  actor_user_id: null,
  actor_email: null,
  workspace_id: null,
  target: null,
  request_id: null,
  ip_prefix: null,
  detail: null,
}

test('every action that the service names has its words', (t) => {
  const [list = ''] = /`auth\.signup`, .*; a later release may add others/.exec(schema) ?? []
  const named = [...list.matchAll(/`([a-z_.]+)`/g)].map(([, action]) => action)
  t.true(named.length > 20)
  t.deepEqual(Object.keys(auditActions), named)
  t.is(nameAction('something.new'), 'something.new')
})

test('who acted is a person, somebody who is gone, or nobody', (t) => {
  t.is(nameActor({ ...line, actor_email: 'ada@example.com', actor_user_id: 'ada' }), 'ada@example.com')
  t.is(nameActor({ ...line, actor_user_id: 'ada' }), 'a deleted user')
  t.is(nameActor(line), 'nobody signed in')
  t.is(listDetail({ ...line, detail: { floor: 0.99, auto_shadow: false } }), 'floor 0.99 · auto_shadow false')
  t.is(listDetail(line), '')
})
