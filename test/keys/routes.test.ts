import test from 'ava'
import { makeUuidV7 } from '../../src/base/ids.ts'
import { digestKey } from '../../src/keys/key-text.ts'
import { type Person } from '../_kit/people.ts'
import { openPeopleHttp, type PeopleHttp } from '../_kit/people-http.ts'

type KeyRecord = {
  id: string
  workspace_id: string
  key_prefix: string
  name: string
  last_used_at: string | null
  revoked_at: string | null
  api_key: string
}

let database: PeopleHttp['database']
let people: PeopleHttp['people']
let http: PeopleHttp['http']
let stop: PeopleHttp['stop']
test.before(async () => {
  ;({ database, people, http, stop } = await openPeopleHttp())
})
test.after.always(async () => await stop())

const mint = async (person: Person, workspaceId = person.workspaceId, name: unknown = 'ci') =>
  await http.call('POST', '/v1/keys', { token: person.token, body: { workspace_id: workspaceId, name } })
const revoke = async (person: Person, keyId: string | null) =>
  await http.call('DELETE', `/v1/keys/${keyId}`, { token: person.token })
const use = async (key: string | null) => (await http.call('GET', '/v1/workspace/me', { token: key ?? '' })).status

test('a minted key is shown once, works at once, and is stored as its SHA-256', async (t) => {
  const ada = await people.add()
  const answer = await mint(ada, ada.workspaceId, '  build server  ')
  t.is(answer.status, 201)
  t.is(answer.headers.get('cache-control'), 'no-store')
  const key = answer.body as unknown as KeyRecord
  t.like(key, { name: 'build server', workspace_id: ada.workspaceId, last_used_at: null, revoked_at: null })
  t.true(key.api_key.startsWith(`${key.key_prefix}_`))
  t.is(await use(key.api_key), 200)

  const list = await http.call('GET', '/v1/keys', { token: ada.token })
  t.false(list.text.includes('api_key'))
  t.false(list.text.includes(key.api_key.slice(16)))
  const [row] = await database.query<{ digest: Buffer; line: string }>(
    'select digest, k::text as line from api_keys k where id = $1',
    [key.id],
  )
  t.deepEqual(row?.digest, digestKey(key.api_key))
  t.false(row?.line.includes(key.api_key.slice(16)))
})

test('a revoked key is refused at once on this front, and its digest is published for the others', async (t) => {
  const ada = await people.add()
  t.is(await use(ada.key), 200)
  t.is((await revoke(ada, ada.keyId)).status, 204)
  t.is(await use(ada.key), 401)
  t.true(people.revoked.includes(digestKey(ada.key ?? '').toString('hex')))
  t.is((await revoke(ada, ada.keyId)).status, 204, 'revoking may be repeated')
  const lines = await database.query("select from audit_log where action = 'key.revoke' and target = $1", [ada.keyId])
  t.is(lines.length, 1)
})

test('keys are listed newest first, revoked ones included, by workspace and by page', async (t) => {
  const ada = await people.add()
  const second = await http.call('POST', '/v1/workspaces', { token: ada.token, body: { name: 'Second' } })
  const secondId = second.body['id'] as string
  await mint(ada, secondId, 'two')
  await mint(ada, ada.workspaceId, 'three')
  await revoke(ada, ada.keyId)
  const list = async (query: string) =>
    (await http.call('GET', `/v1/keys${query}`, { token: ada.token })).body as unknown as KeyRecord[]
  const all = await list('')
  t.deepEqual(
    all.map(({ name }) => name),
    ['three', 'two', 'test'],
  )
  t.is(typeof all[2]?.revoked_at, 'string')
  t.deepEqual(
    (await list(`?workspace_id=${secondId}`)).map(({ name }) => name),
    ['two'],
  )
  t.deepEqual(
    (await list('?limit=1&offset=1')).map(({ name }) => name),
    ['two'],
  )
  t.deepEqual(await list('?offset=100000'), [])
})

for (const query of ['limit=0', 'limit=201', 'limit=1e2', 'limit=', 'offset=-1', 'offset=100001', 'workspace_id=x']) {
  test(`listing keys with ${query} is a 422 that names the parameter`, async (t) => {
    const ada = await people.add()
    const answer = await http.call('GET', `/v1/keys?${query}`, { token: ada.token })
    t.is(answer.status, 422)
    t.deepEqual((answer.body['detail'] as { loc: string[] }[])[0]?.loc, ['query', query.split('=')[0]])
  })
}

for (const [what, name] of [
  ['no name', undefined],
  ['a blank name', '   '],
  ['a name of 101 characters', 'x'.repeat(101)],
  ['a number for a name', 7],
  ['a name with a NUL', 'a\u0000b'],
] as const) {
  test(`minting with ${what} is a 422`, async (t) => {
    const ada = await people.add()
    t.is((await mint(ada, ada.workspaceId, name)).status, name === undefined ? 201 : 422)
    t.is(
      (
        await http.call('POST', '/v1/keys', {
          token: ada.token,
          body: { workspace_id: ada.workspaceId, name: name ?? null },
        })
      ).status,
      422,
    )
  })
}

test('a foreign, a deleted and a missing workspace or key read the same, byte for byte', async (t) => {
  const [ada, bob, eve] = [await people.add(), await people.add(), await people.add()]
  await http.call('DELETE', `/v1/workspaces/${bob.workspaceId}`, { token: bob.token })
  const answers = [
    await mint(eve, ada.workspaceId),
    await mint(eve, bob.workspaceId),
    await mint(bob, bob.workspaceId),
    await mint(eve, makeUuidV7()),
    await revoke(eve, ada.keyId),
    await revoke(bob, bob.keyId),
    await revoke(eve, makeUuidV7()),
    await http.call('GET', `/v1/keys?workspace_id=${ada.workspaceId}`, { token: eve.token }),
    await http.call('GET', `/v1/keys?workspace_id=${makeUuidV7()}`, { token: eve.token }),
  ]
  t.deepEqual([...new Set(answers.map(({ status, text }) => `${status} ${text}`))], ['404 {"detail":"Not found"}'])
  const headers = answers.map((answer) =>
    [...answer.headers.keys()].filter((name) => name !== 'connection' && name !== 'keep-alive').join(),
  )
  t.is(new Set(headers).size, 1)
  t.is(await use(ada.key), 200, 'the foreign key still works')
})

test('members below admin can list keys, but not mint or revoke them', async (t) => {
  const ada = await people.add()
  for (const role of ['viewer', 'member'] as const) {
    const low = await people.add({ joins: ada, role })
    t.is((await mint(low, ada.workspaceId)).status, 403)
    t.is((await revoke(low, ada.keyId)).status, 403)
    t.is((await http.call('GET', `/v1/keys?workspace_id=${ada.workspaceId}`, { token: low.token })).status, 200)
  }
  const admin = await people.add({ joins: ada, role: 'admin' })
  t.is((await revoke(admin, ada.keyId)).status, 204)
})

test('logging out acts at once on minting and revoking', async (t) => {
  const ada = await people.add()
  await http.call('POST', '/v1/auth/logout', { body: { refresh_token: ada.refreshToken } })
  t.is((await mint(ada)).status, 401)
  t.is((await revoke(ada, ada.keyId)).status, 401)
  t.is(await use(ada.key), 200)
})

test('a workspace has 50 live keys at most; a revoked one makes room', async (t) => {
  const ada = await people.add()
  const answers = await Promise.all(Array.from({ length: 55 }, async () => await mint(ada)))
  t.is(answers.filter(({ status }) => status === 201).length, 49)
  t.is(answers.filter(({ status }) => status === 409).length, 6)
  await revoke(ada, ada.keyId)
  t.is((await mint(ada)).status, 201)
})

test('a missing, wrong or expired credential gets the same 401 of a route', async (t) => {
  const ada = await people.add()
  await revoke(ada, ada.keyId)
  const bob = await people.add()
  const answers = await Promise.all([
    http.call('GET', '/v1/workspace/me'),
    http.call('GET', '/v1/workspace/me', { token: ada.token }),
    http.call('GET', '/v1/workspace/me', { token: ada.key ?? '' }),
    http.call('GET', '/v1/workspace/me', { token: 'x'.repeat(7_000) }),
    http.call('GET', '/v1/workspace/me', { headers: { authorization: 'Basic eDp5' } }),
    http.call('GET', '/v1/keys'),
    http.call('GET', '/v1/keys', { token: bob.key ?? '' }),
    http.call('POST', '/v1/keys', { token: bob.key ?? '', body: 'not even JSON' }),
  ])
  const [ofKey, ofSession, ...others] = new Set(answers.map(({ status, text }) => `${status} ${text}`))
  t.regex(ofKey ?? '', /^401 \{"detail":"Not authenticated: .+ a valid API key"\}$/)
  t.regex(ofSession ?? '', /^401 \{"detail":"Not authenticated: .+ a valid access token .+"\}$/)
  t.deepEqual(others, [])
  t.true(answers.every(({ headers }) => headers.get('www-authenticate') === 'Bearer'))
})

test('checks run in the order 401, 422, 404, 403', async (t) => {
  const [ada, eve] = [await people.add(), await people.add()]
  const viewer = await people.add({ joins: ada, role: 'viewer' })
  t.is((await http.call('POST', '/v1/keys', { body: {} })).status, 401)
  t.is((await mint(eve, ada.workspaceId, '')).status, 422)
  t.is((await mint(viewer, ada.workspaceId, '')).status, 422)
  t.is((await mint(eve, ada.workspaceId)).status, 404)
  t.is((await mint(viewer, ada.workspaceId)).status, 403)
})
