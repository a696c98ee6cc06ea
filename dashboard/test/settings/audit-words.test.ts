import { readFileSync } from 'node:fs'
import test from 'ava'
import {
  auditActions,
  linkTarget,
  listDetail,
  nameAction,
  nameActor,
  nameTarget,
} from '../../src/settings/audit-words.ts'

const schema = readFileSync(new URL('../../src/api/schema.ts', import.meta.url), 'utf8')

const line = {
  id: 'line',
  at: '2026-01-01T00:00:00.000Z',
  action: 'workspace.change',
  actor_user_id: null,
  actor_email: null,
  workspace_id: null,
  target: null,
  target_name: null,
  request_id: null,
  ip_prefix: null,
  detail: null,
}

test('every action of the service has a description', (t) => {
  const [list = ''] = /`auth\.signup`, .*; a later release may add others/.exec(schema) ?? []
  const named = [...list.matchAll(/`([a-z_.]+)`/g)].map(([, action]) => action)
  t.true(named.length > 20)
  t.deepEqual(Object.keys(auditActions), named)
  t.is(nameAction('something.new'), 'something.new')
})

test('the actor is a person, a former member, or nobody', (t) => {
  t.is(nameActor({ ...line, actor_email: 'ada@example.com', actor_user_id: 'ada' }), 'ada@example.com')
  t.is(nameActor({ ...line, actor_user_id: 'ada' }), 'a deleted user')
  t.is(nameActor(line), 'not signed in')
  t.is(listDetail({ ...line, detail: { floor: 0.99, auto_shadow: false } }), 'floor 99.0 % · auto shadow no')
  t.is(listDetail(line), '')
})

test('a line names its target, with a link if the target has a page', (t) => {
  t.is(nameTarget({ ...line, target_name: 'bob@example.com', actor_email: 'ada@example.com' }), 'bob@example.com')
  t.is(nameTarget({ ...line, target_name: 'ada@example.com', actor_email: 'ada@example.com' }), null)
  const moved = { ...line, action: 'decision.move', workspace_id: 'w', target: 'd' }
  t.like(linkTarget(moved), { to: '/w/$workspace_id/decisions/$decision_id', params: { decision_id: 'd' } })
  t.is(linkTarget({ ...line, action: 'member.role', target: 'u' }), null)
})

test('details are shown in words, without values that only a program needs', (t) => {
  const say = (detail: Record<string, string | number | boolean>): string => listDetail({ ...line, detail })
  t.is(say({ to: 'owner', from: 'member' }), 'from member to owner')
  t.is(say({ to: 'active', from: 'shadow', forced: true }), 'from shadow to active · without proof')
  t.is(say({ left: true }), 'left by themselves')
  t.is(say({ left: false }), '')
  t.is(say({ role: 'viewer', cause: 'replaced' }), 'role viewer · a newer invite replaced it')
  t.is(say({ sessions_ended: 1 }), '1 session ended')
  t.is(say({ type: 'reuse_identity' }), 'Reuse of results')
  t.is(say({ default_freshness_s: 86_400, retention_days: 'plan' }), 'age limit 24 h · retention of the plan')
  t.is(say({ role: 'viewer', invite: '0190' }), 'role viewer')
})
