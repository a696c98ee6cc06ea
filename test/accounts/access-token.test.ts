import { createHmac, generateKeyPairSync, randomUUID, subtle } from 'node:crypto'
import test from 'ava'
import { exportJWK, type JWTPayload, SignJWT } from 'jose'
import { deriveKey, unseal } from '../../src/base/seal.ts'
import { makeDatabase, type TestDatabase } from '../_kit/db.ts'
import { openPeople, type People, type Person } from '../_kit/people.ts'

let database: TestDatabase
let people: People
let ada: Person
let ours: { kid: string; key: Awaited<ReturnType<typeof subtle.importKey>>; jwk: { x: string; y: string } }

test.before(async () => {
  database = await makeDatabase()
  people = await openPeople(database.db)
  ada = await people.add()
  const [row] = await database.query<{ kid: string; sealed_private_key: Buffer; public_jwk: { x: string; y: string } }>(
    'select * from signing_keys order by active_from limit 1',
  )
  if (row === undefined) throw new Error('no signing key')
  // The service's own key, so that each forgery below differs from a valid token in one field only.
  const pkcs8 = unseal(deriveKey(new Uint8Array(32).fill(7), 'signing keys'), row.sealed_private_key, row.kid)
  const key = await subtle.importKey('pkcs8', pkcs8, { name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign'])
  ours = { kid: row.kid, key, jwk: row.public_jwk }
})

test.after.always(async () => {
  await people.stop()
  await database.stop()
})

const nowS = (): number => Math.floor(Date.now() / 1_000)
const readSessionId = (token: string): string =>
  (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { sid: string }).sid
const claims = (): JWTPayload => ({
  iss: 'https://tracewright.test',
  aud: 'tracewright',
  // A live session, so that each forgery fails for its own reason.
  sub: ada.userId,
  sid: readSessionId(ada.token),
  jti: randomUUID(),
  iat: nowS(),
  exp: nowS() + 600,
})

const without = (name: string): JWTPayload =>
  Object.fromEntries(Object.entries(claims()).filter(([key]) => key !== name))

const sign = async (payload: JWTPayload, header: object = {}): Promise<string> =>
  await new SignJWT(payload)
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: ours.kid, ...header })
    .sign(ours.key)

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')

test('a token signed with our key and all its claims is accepted, so the forgeries below fail for their own reason', async (t) => {
  const payload = claims()
  t.deepEqual(await people.accounts.verifySession(await sign(payload)), {
    userId: payload.sub ?? '',
    sessionId: payload['sid'] as string,
  })
})

test('a token of ours carries exactly the promised claims', (t) => {
  const [header, payload] = ada.token
    .split('.')
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>)
  t.deepEqual(Object.keys(header ?? {}).sort(), ['alg', 'kid', 'typ'])
  t.like(header, { alg: 'ES256', typ: 'at+jwt' })
  t.deepEqual(Object.keys(payload ?? {}).sort(), ['aud', 'exp', 'iat', 'iss', 'jti', 'sid', 'sub'])
  t.is(Number(payload?.['exp']) - Number(payload?.['iat']), 600)
})

const forgeries: [string, () => Promise<string> | string][] = [
  ['alg none', () => `${encode({ alg: 'none', typ: 'at+jwt', kid: ours.kid })}.${encode(claims())}.`],
  [
    'HS256 over the public key',
    () => {
      const body = `${encode({ alg: 'HS256', typ: 'at+jwt', kid: ours.kid })}.${encode(claims())}`
      return `${body}.${createHmac('sha256', JSON.stringify(ours.jwk)).update(body).digest('base64url')}`
    },
  ],
  [
    'a key that the token brings along',
    async () => {
      const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const header = { alg: 'ES256', typ: 'at+jwt', kid: ours.kid, jwk: await exportJWK(publicKey) }
      return await new SignJWT(claims()).setProtectedHeader(header).sign(privateKey)
    },
  ],
  ['an end in the past', async () => await sign({ ...claims(), iat: nowS() - 700, exp: nowS() - 10 })],
  ['no end', async () => await sign(without('exp'))],
  ['no session', async () => await sign(without('sid'))],
  ['no subject', async () => await sign(without('sub'))],
  ['a subject that is no id', async () => await sign({ ...claims(), sub: "' or 1=1" })],
  ['typ JWT', async () => await sign(claims(), { typ: 'JWT' })],
  ['another issuer', async () => await sign({ ...claims(), iss: 'https://elsewhere.test' })],
  ['another audience', async () => await sign({ ...claims(), aud: 'elsewhere' })],
  ['an unknown key id', async () => await sign(claims(), { kid: 'unknown' })],
  ['no key id', async () => await sign(claims(), { kid: undefined })],
  [
    'a signature of zeros',
    async () => `${(await sign(claims())).split('.').slice(0, 2).join('.')}.${Buffer.alloc(64).toString('base64url')}`,
  ],
  ['an altered claim', async () => (await sign(claims())).replace(/\.[^.]+\./, `.${encode(claims())}.`)],
  ['an API key in its place', () => ada.key ?? ''],
  ['a refresh token in its place', () => ada.refreshToken],
  ['nothing in it', () => ''],
]

for (const [what, forge] of forgeries) {
  test(`a token with ${what} is refused`, async (t) => {
    t.is(await people.accounts.verifySession(await forge()), null)
  })
}

test('a token that was accepted before is refused when it has ended, when its key is gone, and with another signature', async (t) => {
  let nowMs = Date.now()
  const own = await makeDatabase()
  t.teardown(own.stop)
  const others = await openPeople(own.db, { now: () => new Date(nowMs) })
  t.teardown(others.stop)
  const { token, userId } = await others.add()
  const { verifySession, rotateKeys } = others.accounts
  for (let nth = 0; nth < 3; nth += 1) t.is((await verifySession(token))?.userId, userId)
  t.is(await verifySession(`${token.split('.').slice(0, 2).join('.')}.${Buffer.alloc(64).toString('base64url')}`), null)
  const startedAtMs = nowMs
  nowMs = startedAtMs + 603_000
  t.is((await verifySession(token))?.userId, userId, 'a clock may be 5 s off')
  nowMs = startedAtMs + 606_000
  t.is(await verifySession(token), null)
  nowMs = startedAtMs
  t.is((await verifySession(token))?.userId, userId)
  await own.query('delete from signing_keys')
  await rotateKeys()
  t.is(await verifySession(token), null)
})

test('verifying costs one query a session, and unknown key ids cost one look in 30 s, however many come', async (t) => {
  const { db } = database
  let looks = 0
  let nowMs = Date.now()
  const tx: typeof db.tx = async (work) => {
    looks += 1
    return await db.tx(work)
  }
  let keyReads = 0
  const rows: typeof db.rows = async (name, values) => {
    if (name === 'accounts/count-hash-costs') return []
    if (name !== 'accounts/list-signing-keys') throw new Error(`${name} is not expected`)
    keyReads += 1
    return await db.rows(name, values)
  }
  const none = (): never => {
    throw new Error('no query is expected')
  }
  let sessionLooks = 0
  const row: typeof db.row = async (name, values) => {
    if (name !== 'accounts/read-session-state') throw new Error(`${name} is not expected`)
    sessionLooks += 1
    return await db.row(name, values)
  }
  const other = await openPeople(
    { ...db, tx, row, rows, run: none },
    { now: () => new Date(nowMs), cacheClockMs: () => 1 },
  )
  t.is(looks, 1, 'the keys are read at the start')
  const forged = await sign(claims(), { kid: 'unknown' })
  const flood = async (): Promise<void> => {
    const found = await Promise.all(Array.from({ length: 50 }, async () => await other.accounts.verifySession(forged)))
    t.true(found.every((session) => session === null))
  }
  const good = await Promise.all(Array.from({ length: 50 }, async () => await other.accounts.verifySession(ada.token)))
  t.true(good.every((session) => session !== null))
  t.is(sessionLooks, 1, 'all who come at once share one look at the session')
  await flood()
  t.is(keyReads, 0, 'they have just been read')
  nowMs += 31_000
  await flood()
  await flood()
  t.is(keyReads, 1)
  t.is(looks, 1, 'no read takes the lock of a rotation')
  await other.stop()
})
