import test from 'ava'
import { listGivable, type Role } from '../../src/app/roles.ts'
import { isLastOwner, tellConsequence } from '../../src/pages/account/consequence.ts'
import { nameBrowser } from '../../src/pages/account/name-browser.ts'
import {
  countOwners,
  type Member,
  whyNotChangeRole,
  whyNotRemove,
  whyNotResetLink,
} from '../../src/pages/org-settings/member-rights.ts'

const member = (role: Role, id = 'other'): Member => ({
  user_id: id,
  email: `${id}@example.com`,
  name: null,
  role,
  created_at: '2026-01-01T00:00:00.000Z',
})
const as = (role: Role, one: Member, owners = 2) => ({
  org: { id: 'org', name: 'Org', role },
  userId: 'me',
  member: one,
  owners,
})

test('roles are changed by admins, those of owners by owners, and never that of the last owner', (t) => {
  t.regex(whyNotChangeRole(as('viewer', member('viewer'))) ?? '', /requires the role admin or above/)
  t.is(whyNotChangeRole(as('admin', member('viewer'))), undefined)
  t.regex(whyNotChangeRole(as('admin', member('owner'))) ?? '', /Only an owner/)
  t.is(whyNotChangeRole(as('owner', member('owner'))), undefined)
  t.regex(whyNotChangeRole(as('owner', member('owner', 'me'), 1)) ?? '', /at least one owner/)
})

test('in a truncated list of members, no one counts as the last owner', (t) => {
  const members = [member('owner'), member('viewer')]
  t.is(countOwners(members, 3), 1)
  t.is(whyNotRemove(as('owner', member('owner', 'me'), countOwners(members, 2))), undefined)
})

test('every member except the last owner may leave', (t) => {
  t.is(whyNotRemove(as('viewer', member('viewer', 'me'))), undefined)
  t.regex(whyNotRemove(as('member', member('viewer'))) ?? '', /requires the role admin/)
  t.regex(whyNotRemove(as('admin', member('owner'))) ?? '', /Only an owner/)
  t.regex(whyNotRemove(as('owner', member('owner', 'me'), 1)) ?? '', /at least one owner/)
})

test('reset links are made by owners, for others', (t) => {
  t.is(whyNotResetLink(as('owner', member('admin'))), undefined)
  t.regex(whyNotResetLink(as('owner', member('owner', 'me'))) ?? '', /your account/)
  t.regex(whyNotResetLink(as('admin', member('viewer'))) ?? '', /requires the role owner, .* ask an owner/)
})

test('a member can only grant roles up to their own', (t) => {
  t.deepEqual(listGivable('owner'), ['owner', 'admin', 'member', 'viewer'])
  t.deepEqual(listGivable('admin'), ['admin', 'member', 'viewer'])
})

test('deleting an account says what becomes of each organization', (t) => {
  t.is(
    tellConsequence('owner', [member('owner', 'me')], ['one', 'two']),
    'it has no other members, so it is deleted and all data of one, two.',
  )
  t.regex(tellConsequence('owner', [member('owner', 'me'), member('admin')], []), /last owner, so this is refused/)
  t.regex(tellConsequence('owner', [member('owner', 'me'), member('owner')], []), /^you leave it/)
  t.true(isLastOwner('owner', [member('owner', 'me'), member('admin')]))
  t.false(isLastOwner('owner', [member('owner', 'me')]))
  t.false(isLastOwner('viewer', [member('viewer', 'me'), member('owner')]))
  t.regex(tellConsequence('viewer', [member('viewer', 'me'), member('owner')], []), /^you leave it/)
})

test('a session is named by its program and system', (t) => {
  const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'
  for (const [text, name] of [
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/143.0.0.0 Safari/537.36`, 'Chrome on Windows'],
    [`Mozilla/5.0 (Windows NT 10.0) ${webkit} Chrome/143.0.0.0 Safari/537.36 Edg/143.0.0.0`, 'Edge on Windows'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox on Linux'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1',
      'Safari on iOS',
    ],
    ['curl/8.5.0', 'curl/8.5.0'],
    ['', 'An unknown program'],
    [null, 'An unknown program'],
  ] as const) {
    t.is(nameBrowser(text), name)
  }
})
