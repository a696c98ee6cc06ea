// No signed-in user and no holder of a reset token can fill the queue for password hashes, which all users need to sign in.
import test from 'ava'
import { changePassword } from '../../src/accounts/password/change.ts'
import { confirmReset } from '../../src/accounts/reset/confirm.ts'
import { insertReset } from '../../src/accounts/reset/token.ts'
import { defaultLimits, makeThrottle } from '../../src/accounts/throttle.ts'
import { Outage } from '../../src/base/fault.ts'
import { origin, type Person } from '../_kit/people.ts'
import { openPeopleHttp, type PeopleHttp } from '../_kit/people-http.ts'
import { until } from '../_kit/until.ts'

let database: PeopleHttp['database']
let people: PeopleHttp['people']
let stop: PeopleHttp['stop']
test.before(async () => {
  ;({ database, people, stop } = await openPeopleHttp())
})
test.after.always(async () => await stop())

/** A hasher that takes every password for right, and makes no hash until it is released. */
function openSlowHasher() {
  const released = Promise.withResolvers<undefined>()
  let hashing = 0
  const hasher = {
    verify: () => Promise.resolve({ matches: true, stale: false }),
    hash: async () => {
      hashing += 1
      await released.promise
      return 'a hash'
    },
  }
  const { db } = database
  const deps = {
    db,
    hasher,
    throttle: makeThrottle({
      db,
      limits: { ...defaultLimits, passwordBySession: { points: 100, windowS: 900 } },
      now: () => new Date(),
    }),
    now: () => new Date(),
    onSessionsEnded: () => undefined,
  }
  return { deps, hashing: () => hashing, release: () => released.resolve(undefined) }
}

const next = 'quartz umbrella seventeen'

const isLimited = (one: PromiseSettledResult<unknown>): boolean =>
  one.status === 'rejected' && one.reason instanceof Outage && one.reason.status === 429

/** Starts eight requests, waits until all of them hash, and returns whether a further one is refused with 429. */
async function isNinthLimited(
  { hashing, release }: ReturnType<typeof openSlowHasher>,
  request: () => Promise<unknown>,
) {
  const first = Promise.allSettled(Array.from({ length: 8 }, request))
  await until(() => hashing() === 8)
  let isDecided = false
  const ninth = Promise.allSettled([request()]).finally(() => {
    isDecided = true
  })
  await until(() => isDecided || hashing() === 9)
  release()
  if ((await first).some(isLimited)) throw new Error('one of the first eight is refused')
  return (await ninth).some(isLimited)
}

async function openChange(person: Person, slow: ReturnType<typeof openSlowHasher>) {
  const who = await people.accounts.verifySession(person.token)
  if (who === null) throw new Error('the session is not known')
  return async (ip: string) =>
    await changePassword(slow.deps, { who, current: person.password, next, from: { ...origin, ip } })
}

test('the new passwords of one address hash eight at a time', async (t) => {
  const slow = openSlowHasher()
  const change = await openChange(await people.add(), slow)
  t.true(await isNinthLimited(slow, async () => await change('198.51.100.90')))
})

test('the new passwords of one user hash eight at a time, from any number of addresses', async (t) => {
  const slow = openSlowHasher()
  const change = await openChange(await people.add(), slow)
  let last = 0
  const fromAnother = async () => await change(`198.51.100.${(last += 1)}`)
  t.true(await isNinthLimited(slow, fromAnother))
})

test('requests with the same reset token hash eight at a time', async (t) => {
  const slow = openSlowHasher()
  const { userId } = await people.add()
  const deps = { ...slow.deps, publicUrl: 'https://tracewright.test' }
  const { token } = await database.db.tx(async (tx) => await insertReset(tx, deps, { userId, madeBy: null }))
  const confirm = async () => await confirmReset(slow.deps, { token, password: next, from: origin })
  t.true(await isNinthLimited(slow, confirm))
})
