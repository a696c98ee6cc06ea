import test from 'ava'
import { calculateJwkThumbprint, createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose'
import { openKeyring } from '../../src/accounts/signing/keyring.ts'
import { afterlifeMs, keyLifeMs, planRotation, prePublicationMs } from '../../src/accounts/signing/rotation.ts'
import { Outage } from '../../src/base/fault.ts'
import { deriveKeys } from '../../src/base/seal.ts'
import { makeDatabase } from '../_kit/db.ts'
import { openHttp } from '../_kit/http.ts'
import { openPeople } from '../_kit/people.ts'
import { read } from '../shape/_source.ts'

const start = new Date('2026-01-01T00:00:00Z')
const after = (ms: number): Date => new Date(start.getTime() + ms)

test('the first start makes a key for now and the one after it', (t) => {
  t.deepEqual(planRotation([], start), { make: [start, after(keyLifeMs)], retire: [], drop: [] })
})

test('a current and a next key ask for nothing', (t) => {
  const keys = [
    { kid: 'a', activeFrom: start, retiredAt: null },
    { kid: 'b', activeFrom: after(keyLifeMs), retiredAt: null },
  ]
  t.deepEqual(planRotation(keys, after(keyLifeMs - 1)), { make: [], retire: [], drop: [] })
  t.deepEqual(planRotation(keys, after(keyLifeMs)), {
    make: [after(2 * keyLifeMs)],
    retire: [{ kid: 'a', at: after(keyLifeMs + afterlifeMs) }],
    drop: [],
  })
})

test('a service that slept through a rotation still publishes the next key a day before it signs', (t) => {
  const late = after(3 * keyLifeMs)
  const plan = planRotation([{ kid: 'a', activeFrom: start, retiredAt: null }], late)
  t.deepEqual(plan.make, [new Date(late.getTime() + prePublicationMs)])
})

test('a key is removed one hour after its end', (t) => {
  const keys = [
    { kid: 'a', activeFrom: start, retiredAt: after(keyLifeMs + afterlifeMs) },
    { kid: 'b', activeFrom: after(keyLifeMs), retiredAt: null },
    { kid: 'c', activeFrom: after(2 * keyLifeMs), retiredAt: null },
  ]
  t.deepEqual(planRotation(keys, after(keyLifeMs + afterlifeMs - 1)).drop, [])
  t.deepEqual(planRotation(keys, after(keyLifeMs + afterlifeMs)).drop, ['a'])
})

test('the key set verifies a token elsewhere, names its keys by thumbprint, and is cacheable', async (t) => {
  const { db, stop } = await makeDatabase()
  t.teardown(stop)
  const people = await openPeople(db)
  t.teardown(people.stop)
  const http = await openHttp(people.routes, people.authenticator)
  t.teardown(http.stop)
  const ada = await people.add()
  const first = await http.call('GET', '/v1/auth/jwks')
  const keySet = first.body as unknown as JSONWebKeySet
  t.is(keySet.keys.length, 2)
  for (const { kid, kty, crv, x, y, alg, use, ...rest } of keySet.keys) {
    t.is(kid, await calculateJwkThumbprint({ kty, crv, x, y } as never))
    t.deepEqual({ alg, use, rest }, { alg: 'ES256', use: 'sig', rest: {} }, 'nothing private is in it')
  }
  t.is((await jwtVerify(ada.token, createLocalJWKSet(keySet))).payload.sub, ada.userId)

  t.is(first.headers.get('cache-control'), 'public, max-age=600')
  const etag = first.headers.get('etag') ?? ''
  const wellKnown = await http.call('GET', '/.well-known/jwks.json', { headers: { 'if-none-match': etag } })
  t.is(wellKnown.status, 304)
  t.is(wellKnown.text, '')
  t.is((await http.call('GET', '/.well-known/jwks.json')).text, first.text)
})

test('ten processes that start at once agree on one current and one next key', async (t) => {
  const { db, query, stop } = await makeDatabase()
  t.teardown(stop)
  const all = await Promise.all(Array.from({ length: 10 }, async () => await openPeople(db)))
  t.is((await query('select kid from signing_keys')).length, 2)
  const ada = await all[0]?.add()
  for (const people of all) t.is((await people.accounts.verifySession(ada?.token ?? ''))?.userId, ada?.userId)
  for (const people of all) await people.stop()
})

test('a rotation refuses no live token, and the old key goes after an hour', async (t) => {
  const { db, query, stop } = await makeDatabase()
  t.teardown(stop)
  const beginMs = Date.now()
  let nowMs = beginMs
  const now = (): Date => new Date(nowMs)
  const people = await openPeople(db, { now })
  t.teardown(people.stop)
  const ada = await people.add()
  const body = { email: ada.email, password: ada.password }
  const http = await openHttp(people.routes, people.authenticator)
  t.teardown(http.stop)
  const login = async (): Promise<string> =>
    (await http.call('POST', '/v1/auth/login', { body })).body['access_token'] as string
  const readKid = (token: string): string =>
    (JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { kid: string }).kid

  nowMs = beginMs + keyLifeMs - 1_000
  const before = await login()
  // The clock alone makes the next key sign: no process needs a notice.
  nowMs = beginMs + keyLifeMs + 1_000
  const afterwards = await login()
  t.not(readKid(before), readKid(afterwards))
  await people.accounts.rotateKeys()
  t.truthy(await people.accounts.verifySession(before))
  t.truthy(await people.accounts.verifySession(afterwards))
  t.is((await query('select kid from signing_keys')).length, 3)

  nowMs = beginMs + keyLifeMs + afterlifeMs + 1_000
  await people.accounts.rotateKeys()
  const kids = (await query<{ kid: string }>('select kid from signing_keys')).map(({ kid }) => kid)
  t.is(kids.length, 2)
  t.false(kids.includes(readKid(before)))
})

test('an operator can make the next key current at once, even if some fronts have not noticed yet', async (t) => {
  const { db, query, stop } = await makeDatabase()
  t.teardown(stop)
  const [behind, ahead] = [await openPeople(db), await openPeople(db)]
  t.teardown(behind.stop)
  t.teardown(ahead.stop)
  const before = await behind.add()
  // The statement in deploy/docs/secrets.md.
  const [, statement = ''] = /```sql\n(update signing_keys.*)\n```/.exec(read('deploy/docs/secrets.md')) ?? []
  await query(statement)
  await ahead.accounts.rotateKeys()
  const tokens = [before, await behind.add(), await ahead.add()].map(({ token }) => token)
  t.is(new Set(tokens.map((token) => token.split('.')[0])).size, 2)
  for (const people of [behind, ahead]) for (const token of tokens) t.truthy(await people.accounts.verifySession(token))
})

test('a start with another secret is refused with an explicit error', async (t) => {
  const { db, stop } = await makeDatabase()
  t.teardown(stop)
  await (await openPeople(db)).stop()
  await t.throwsAsync(async () => await openPeople(db, { secrets: [new Uint8Array(32).fill(8)] }), {
    message: /is not the secret that encrypted it/,
  })
})

test('tokens with unknown key ids cost one plain read in 30 s, and one in 5 s while the database is away', async (t) => {
  const { db, stop } = await makeDatabase()
  t.teardown(stop)
  const state = { nowMs: start.getTime(), isAway: false, reads: 0, transactions: 0 }
  const sealKeys = deriveKeys([new Uint8Array(32).fill(7)], 'signing keys')
  const watched: Parameters<typeof openKeyring>[0]['db'] = {
    rows: async (statement, values) => {
      state.reads += 1
      if (state.isAway) throw new Outage('failure', 'away')
      return await db.rows(statement, values)
    },
    tx: async (work) => {
      state.transactions += 1
      return await db.tx(work)
    },
  }
  const open = async (): ReturnType<typeof openKeyring> => {
    const keyring = await openKeyring({
      db: watched,
      sealKeys,
      now: () => new Date(state.nowMs),
      onError: () => t.fail(),
    })
    t.teardown(keyring.stop)
    return keyring
  }
  const [keyring, other] = [await open(), await open()]
  t.is(await keyring.find('unknown'), null)
  t.deepEqual(state, { nowMs: start.getTime(), isAway: false, reads: 0, transactions: 2 })

  state.nowMs += 30_000
  state.isAway = true
  for (const passMs of [1_000, 3_999]) {
    await Promise.all(['x', 'y'].map(async (kid) => await t.throwsAsync(keyring.find(kid), { message: 'away' })))
    t.is(state.reads, 1)
    state.nowMs += passMs
  }
  state.nowMs += 1
  state.isAway = false
  // The other process has made a key, which this one must find.
  await db.tx(async (tx) => {
    for (const { kid } of await tx.rows<{ kid: string }>('accounts/list-signing-keys'))
      await tx.run('accounts/drop-signing-key', [kid])
  })
  await other.rotate()
  const { kid } = other.signer()
  t.deepEqual(
    (await Promise.all([keyring.find(kid), keyring.find(kid)])).map((key) => key?.type),
    ['public', 'public'],
  )
  t.is(await keyring.find('x'), null)
  t.deepEqual([state.reads, state.transactions], [2, 3])
})
