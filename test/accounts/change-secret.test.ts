// The secret is changed front by front, as a rollout does, with existing sessions and signing keys.
import { randomBytes } from 'node:crypto'
import test from 'ava'
import type { Secrets } from '../../src/base/seal.ts'
import { makeDatabase, type TestDatabase } from '../_kit/db.ts'
import { openHttp } from '../_kit/http.ts'
import { openPeople, type People, type Person } from '../_kit/people.ts'
import { until } from '../_kit/until.ts'

type Count = { readonly signingKeys: number; readonly sessions: number; readonly lost: number }
type Front = {
  readonly people: People
  /** Results of each scan for values sealed with the other secret. */
  readonly counts: readonly Count[]
  /** Refreshes a session. Returns the status and the next token. */
  refresh(token: string): Promise<{ readonly status: number; readonly token: string }>
  /** Returns the status. */
  logout(token: string): Promise<number>
  stop(): Promise<void>
}

const [was, is] = [randomBytes(32), randomBytes(32)]

async function openFront({ db }: TestDatabase, secrets: Secrets): Promise<Front> {
  const counts: Count[] = []
  const people = await openPeople(db, { secrets, onResealed: (count) => void counts.push(count) })
  const http = await openHttp(people.routes, people.authenticator)
  return {
    people,
    counts,
    async refresh(token) {
      const answer = await http.call('POST', '/v1/auth/refresh', { body: { refresh_token: token } })
      return { status: answer.status, token: answer.body['refresh_token'] as string }
    },
    logout: async (token) => (await http.call('POST', '/v1/auth/logout', { body: { refresh_token: token } })).status,
    async stop() {
      await http.stop()
      await people.stop()
    },
  }
}

async function makeScene(t: { teardown(fn: () => Promise<void>): void }) {
  const database = await makeDatabase()
  const fronts: Front[] = []
  t.teardown(async () => {
    for (const front of fronts) await front.stop()
    await database.stop()
  })
  return {
    database,
    open: async (...secrets: Secrets): Promise<Front> => {
      const front = await openFront(database, secrets)
      fronts.push(front)
      return front
    },
  }
}

const isKnown = async (front: Front, { token, userId }: Person): Promise<boolean> =>
  (await front.people.accounts.verifySession(token))?.userId === userId

test('fronts of two neighbouring steps take each other’s sessions and tokens, in every direction', async (t) => {
  const { open } = await makeScene(t)
  const before = await open(was)
  const ada = await before.people.add()
  // The steps of a change: each front runs beside the one of the previous step.
  const steps: readonly Secrets[] = [[was, is], [is, was], [is]]
  let [older, token] = [before, ada.refreshToken]
  for (const secrets of steps) {
    const newer = await open(...secrets)
    if (secrets.length > 1) await until(() => newer.counts.length > 0)
    const grace = await newer.people.add()
    const alan = await older.people.add()
    for (const front of [older, newer]) {
      for (const person of [ada, grace, alan]) t.true(await isKnown(front, person))
      for (const { refreshToken } of [grace, alan]) t.is((await front.refresh(refreshToken)).status, 200)
      const next = await front.refresh(token)
      t.is(next.status, 200)
      token = next.token
    }
    older = newer
    if (secrets.length < 2) continue
    // Values that the previous front has sealed meanwhile.
    const last = await open(...secrets)
    await until(() => last.counts.length > 0)
  }
})

test('signing keys are the same under the new secret, and a look that found nothing says so', async (t) => {
  const { database, open } = await makeScene(t)
  const before = await open(was)
  const people = [await before.people.add(), await before.people.add()]
  const read = async () => await database.query('select kid, public_jwk, active_from from signing_keys order by kid')
  const keys = await read()
  const first = await open(is, was)
  await until(() => first.counts.length > 0)
  t.deepEqual(first.counts, [{ signingKeys: keys.length, sessions: people.length, lost: 0 }])
  const second = await open(is, was)
  await until(() => second.counts.length > 0)
  t.deepEqual(second.counts, [{ signingKeys: 0, sessions: 0, lost: 0 }])
  t.deepEqual(await read(), keys)
  const after = await open(is)
  t.is(after.counts.length, 0)
  for (const { refreshToken } of people) t.is((await after.refresh(refreshToken)).status, 200)
})

test('more sessions than one batch are sealed anew, and one that no secret opens is not changed', async (t) => {
  const { database, open } = await makeScene(t)
  const before = await open(was)
  const ada = await before.people.add()
  await database.query(
    `insert into sessions (id, user_id, sealed_secret, idle_expires_at, expires_at)
     select gen_random_uuid(), user_id, 'lost', idle_expires_at, expires_at from sessions, generate_series(1, 1200)`,
  )
  const bob = await before.people.add()
  const front = await open(is, was)
  await until(() => front.counts.length > 0)
  t.like(front.counts[0], { sessions: 2, lost: 1_200 })
  const after = await open(is)
  for (const { refreshToken } of [ada, bob]) t.is((await after.refresh(refreshToken)).status, 200)
})

test('a session that no secret can decrypt requires a new sign-in', async (t) => {
  const { database, open } = await makeScene(t)
  const front = await open(is)
  const ada = await front.people.add()
  await database.query("update sessions set sealed_secret = 'lost' where user_id = $1", [ada.userId])
  t.is((await front.refresh(ada.refreshToken)).status, 401)
  t.is(await front.logout(ada.refreshToken), 204)
})

test('without the other secret the start is refused, and leaves nothing behind that would stop the others', async (t) => {
  const { database, open } = await makeScene(t)
  const before = await open(was)
  const ada = await before.people.add()
  // A key is due, so the process with the wrong secret would make one.
  await database.query('delete from signing_keys where active_from > now()')
  await t.throwsAsync(async () => await open(is), { message: /is not the secret that encrypted it/ })
  const again = await open(was)
  t.true(await isKnown(again, ada))
  t.is((await again.refresh(ada.refreshToken)).status, 200)
})
