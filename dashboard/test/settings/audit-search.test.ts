import test from 'ava'
import { readAuditSearch, toAuditQuery } from '../../src/settings/audit-search.ts'

const nowMs = Date.parse('2026-03-08T00:00:00Z')
const ask = (search: Record<string, string>) => {
  const read = readAuditSearch(search, nowMs, 'UTC')
  return { query: toAuditQuery(read), ignored: read.ignored.map(({ name }) => name) }
}

test('without a window in the URL, the request covers everything that is kept', (t) => {
  t.deepEqual(ask({ agent_id: 'travels along' }), { query: {}, ignored: [] })
})

test('a range that ends now has no end, bounds have both, and a bad one is named and not followed', (t) => {
  t.deepEqual(ask({ range: '7d' }), { query: { from_time: '2026-03-01T00:00:00.000Z' }, ignored: [] })
  const bounds = { from_time: '2026-03-01T00:00:00Z', to_time: '2026-03-02T00:00:00Z' }
  t.deepEqual(ask(bounds), { query: bounds, ignored: [] })
  t.deepEqual(ask({ range: 'ages' }), { query: {}, ignored: ['range'] })
})

test('a person and an action filter the list; an invalid filter is named', (t) => {
  const actor = '01a20b03-5615-73ce-a55a-6fc987f5c1b6'
  t.deepEqual(ask({ actor, action: 'key.mint' }), { query: { actor, action: 'key.mint' }, ignored: [] })
  t.deepEqual(ask({ actor: 'ada', action: 'key.eat' }), { query: {}, ignored: ['actor', 'action'] })
})
