// What the page of keys shows about a key.
import test from 'ava'
import { describeRevocation, findIdleness, type Key, partKeys } from '../../src/pages/keys/key-facts.ts'

const nowMs = Date.parse('2026-11-23T12:00:00Z')
const ago = (days: number): string => new Date(nowMs - days * 86_400_000).toISOString()

const makeKey = (fields: Partial<Key>): Key => ({
  id: '019aa1c2-7d3f-7c00-8000-0123456789ab',
  workspace_id: '019aa1c2-7d3f-7c00-8000-000000000000',
  key_prefix: 'tw_sk_abcdefgh',
  name: 'support',
  created_at: ago(200),
  last_used_at: ago(1),
  revoked_at: null,
  ...fields,
})

test('unused keys are marked, new ones are not', (t) => {
  t.is(findIdleness(makeKey({}), nowMs), null)
  t.is(findIdleness(makeKey({ last_used_at: ago(90) }), nowMs), null)
  t.is(findIdleness(makeKey({ last_used_at: ago(91) }), nowMs), 'not used for 91 days')
  t.is(findIdleness(makeKey({ last_used_at: null }), nowMs), 'never used')
  t.is(findIdleness(makeKey({ last_used_at: null, created_at: ago(2) }), nowMs), null)
})

test('a revocation says what it ends', (t) => {
  t.regex(
    describeRevocation(makeKey({ last_used_at: ago(3) }), nowMs),
    /last used 3 days ago.*within one second.*cannot/,
  )
  t.regex(describeRevocation(makeKey({ last_used_at: null }), nowMs), /never been used/)
})

test('revoked keys are listed separately, in their order', (t) => {
  const keys = [makeKey({ name: 'a' }), makeKey({ name: 'b', revoked_at: ago(1) }), makeKey({ name: 'c' })]
  const { live, revoked } = partKeys(keys)
  t.deepEqual(
    [live, revoked].map((some) => some.map(({ name }) => name)),
    [['a', 'c'], ['b']],
  )
  t.deepEqual(partKeys([]), { live: [], revoked: [] })
})
