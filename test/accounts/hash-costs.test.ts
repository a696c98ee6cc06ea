// After the cost of password hashes was changed, the time of a failed sign-in does not tell which addresses have an account.
import test from 'ava'
import { login } from '../../src/accounts/login.ts'
import type { HashCost } from '../../src/accounts/password/hash.ts'
import { makeHashCosts } from '../../src/accounts/password/hash-costs.ts'
import { openPeopleHttp } from '../_kit/people-http.ts'

const before: HashCost = { memoryKib: 64, passes: 1, parallelism: 1 }
const today: HashCost = { memoryKib: 128, passes: 1, parallelism: 1 }
const addresses = Array.from({ length: 2_000 }, (_, at) => `nobody-${at}@example.org`)

test('unknown addresses have the costs of users, each as often, and each address the same every time', async (t) => {
  const { database, people, stop } = await openPeopleHttp({ hashCost: before })
  t.teardown(stop)
  const make = (key: number) => makeHashCosts({ db: database.db, key: new Uint8Array(32).fill(key), today })
  const costs = make(1)
  t.deepEqual(costs.ofUnknown('ada@example.org'), today, 'before the first count')
  await costs.count()
  t.deepEqual(costs.ofUnknown('ada@example.org'), today, 'without users')
  const old = await Promise.all([people.add(), people.add(), people.add(), people.add()])
  await database.query("update users set password_hash = replace(password_hash, '$m=64,', '$m=128,') where id = $1", [
    old[0].userId,
  ])
  await costs.count()
  const drawn = addresses.map(costs.ofUnknown)
  const share = drawn.filter(({ memoryKib }) => memoryKib === before.memoryKib).length / drawn.length
  t.true(share > 0.7 && share < 0.8, `${share}`)
  t.deepEqual(new Set(drawn.map(({ passes }) => passes)), new Set([1]))
  await costs.count()
  t.deepEqual(addresses.map(costs.ofUnknown), drawn)
  const other = make(2)
  await other.count()
  t.notDeepEqual(addresses.map(other.ofUnknown), drawn, 'nobody without the secret can compute it')
})

test('a sign-in with an unknown address hashes with the cost of that address', async (t) => {
  const { database, stop } = await openPeopleHttp()
  t.teardown(stop)
  const hashed: unknown[] = []
  const outcome = await login(
    {
      db: database.db,
      throttle: {
        query: async (_ip: unknown, run: () => Promise<unknown>) => await run(),
        login: async (_attempt: unknown, check: () => Promise<unknown>) => await check(),
      },
      hasher: {
        verify: async (_password: string, stored: unknown) => {
          hashed.push(stored)
          return { matches: false, stale: false }
        },
      },
      hashCosts: { ofUnknown: (address: string) => ({ ...before, memoryKib: address.length }) },
    } as never,
    {
      email: { canonical: 'nobody@example.org', forms: ['nobody@example.org'] },
      password: 'plum tractor elevenths',
      deviceToken: null,
      from: { id: 'request', ip: '203.0.113.9' },
    } as never,
  )
  t.deepEqual(outcome, { ok: false, code: 'bad_credentials' } as never)
  t.deepEqual(hashed, [{ ...before, memoryKib: 18 }])
})
