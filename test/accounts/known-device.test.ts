// Password guesses of strangers must not lock the owner out of a device that has signed in before.
import test from 'ava'
import { makeDeviceTokens } from '../../src/accounts/device-token.ts'
import { defaultLimits } from '../../src/accounts/throttle.ts'
import { alterEnd } from '../_kit/alter-end.ts'
import { makeDatabase, type TestDatabase } from '../_kit/db.ts'
import { type Http, openHttp } from '../_kit/http.ts'
import { noLimits, openPeople, type People, type Person } from '../_kit/people.ts'

let database: TestDatabase
let people: People
let http: Http
/** The statements of the requests since this list was last emptied. */
let statements: string[] = []

const { loginByAccount, loginByAccountAndIp, loginByDevice, loginByIp } = defaultLimits
const limits = { ...noLimits, loginByAccount, loginByAccountAndIp, loginByDevice, loginByIp }

test.before(async () => {
  database = await makeDatabase()
  const { db } = database
  const row: typeof db.row = async (name, values) => {
    statements.push(name)
    return await db.row(name, values)
  }
  const run: typeof db.run = async (name, values) => {
    statements.push(name)
    return await db.run(name, values)
  }
  people = await openPeople({ ...db, row, run }, { limits })
  http = await openHttp(people.routes, people.authenticator)
})

test.after.always(async () => {
  await http.stop()
  await people.stop()
  await database.stop()
})

type Attempt = { readonly password?: string; readonly ip: string; readonly device?: string | null }

const login = async ({ email, password }: Person, attempt: Attempt) =>
  await http.call('POST', '/v1/auth/login', {
    body: { email, password: attempt.password ?? password, device_token: attempt.device ?? null },
    ip: attempt.ip,
  })

async function knowDevice(person: Person, ip: string): Promise<string> {
  const answer = await login(person, { ip })
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.body['device_token'] as string
}

/** Twenty addresses that guess once each: logins from unknown devices are refused for an hour. */
async function lockOut(person: Person, net: string): Promise<void> {
  for (let at = 0; at < loginByAccount.points; at += 1)
    await login(person, { ip: `${net}.${at}`, password: 'a wrong password' })
}

test('an account that 20 addresses have locked accepts a known device; the control: no other device', async (t) => {
  const [ada, eve] = [await people.add(), await people.add()]
  const device = await knowDevice(ada, '198.51.100.1')
  const foreign = await knowDevice(eve, '198.51.100.2')
  await lockOut(ada, '203.0.113')
  t.is((await login(ada, { ip: '198.51.100.1' })).status, 429, 'the control: without the token')
  t.is((await login(ada, { ip: '198.51.100.1', device: foreign })).status, 429, 'the token of another account')
  t.is((await login(ada, { ip: '198.51.100.1', device: alterEnd(device) })).status, 429, 'a forged token')
  t.is((await login(ada, { ip: '198.51.100.1', device: 'junk' })).status, 429)
  const known = await login(ada, { ip: '198.51.100.77', device })
  t.is(known.status, 200)
  t.is((await login(ada, { ip: '198.51.100.78', device: known.body['device_token'] as string })).status, 200)
})

test('strangers behind the same address do not keep a known device out', async (t) => {
  const ada = await people.add()
  const device = await knowDevice(ada, '198.51.100.9')
  for (let at = 0; at <= loginByIp.points; at += 1)
    await login({ ...ada, email: `stranger-${at}@example.test` }, { ip: '198.51.100.9', password: 'a wrong password' })
  t.is((await login(ada, { ip: '198.51.100.9' })).status, 429, 'the control')
  t.is((await login(ada, { ip: '198.51.100.9', device })).status, 200)
})

test('a stolen device token gives a bounded number of guesses, from whatever address, and opens nothing by itself', async (t) => {
  const ada = await people.add()
  const device = await knowDevice(ada, '198.51.100.20')
  const other = await knowDevice(ada, '198.51.100.21')
  const statuses: number[] = []
  for (let at = 0; at < loginByDevice.points + 2; at += 1)
    statuses.push((await login(ada, { ip: `192.0.2.${at}`, device, password: 'a wrong password' })).status)
  t.deepEqual(statuses, [...Array<number>(loginByDevice.points).fill(401), 429, 429])
  t.is((await login(ada, { ip: '198.51.100.20' })).status, 200, 'the others are counted apart')
  t.is((await login(ada, { ip: '198.51.100.20', device: other })).status, 200)
})

test('a device is unknown after the password was changed, and to a later account with the same address, until it signs in', async (t) => {
  const ada = await people.add()
  const device = await knowDevice(ada, '198.51.100.30')
  const password = 'quartz umbrella seventeen'
  const body = { current_password: ada.password, new_password: password }
  t.is((await http.call('POST', '/v1/auth/password', { token: ada.token, body })).status, 204)
  const changed = { ...ada, password }
  const fresh = await knowDevice(changed, '198.51.100.31')
  await lockOut(changed, '203.0.113')
  t.is((await login(changed, { ip: '198.51.100.30', device })).status, 429)
  t.is((await login(changed, { ip: '198.51.100.30', device: fresh })).status, 200, 'the control')

  const deletion = { token: ada.token, body: { current_password: password } }
  t.is((await http.call('DELETE', '/v1/auth/me', deletion)).status, 204)
  t.is((await login(changed, { ip: '198.51.100.30', device: fresh, password: 'a wrong password' })).status, 429)
  t.is((await http.call('POST', '/v1/auth/signup', { body: { email: ada.email, password } })).status, 201)
  t.is((await login(changed, { ip: '198.51.100.30', device: fresh })).status, 429)
})

test.serial(
  'an unknown address and a known one are looked up and limited by the same statements, with and without a device token',
  async (t) => {
    const ada = await people.add()
    const device = await knowDevice(ada, '198.51.100.40')
    const nobody = { ...ada, email: 'nobody-here@example.test' }
    for (const sent of [null, alterEnd(device)]) {
      const asked: string[][] = []
      for (const person of [ada, nobody]) {
        const names: string[] = []
        statements = names
        t.is((await login(person, { ip: '198.51.100.41', device: sent, password: 'a wrong password' })).status, 401)
        asked.push(names)
      }
      t.deepEqual(asked[0], asked[1])
      t.true(asked[0]?.includes('accounts/find-user-by-email'))
    }
  },
)

test('a device token is renewed at each sign-in, expires after half a year, and remains valid after a change of the secret', (t) => {
  let nowMs = Date.UTC(2026, 0, 1)
  const now = (): Date => new Date(nowMs)
  const [old, fresh] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)]
  const before = makeDeviceTokens({ keys: [old], now })
  const ada = { userId: 'ada', passwordChangedAt: null }
  const text = before.make(null, ada)
  const device = before.read(text, ada)
  t.regex(device ?? '', /^[0-9a-f]{32}$/)
  t.is(before.read(text, { ...ada, userId: 'eve' }), null)
  t.is(before.read(text, { ...ada, passwordChangedAt: new Date(nowMs) }), null)
  t.is(makeDeviceTokens({ keys: [fresh, old], now }).read(text, ada), device)
  t.is(makeDeviceTokens({ keys: [fresh], now }).read(text, ada), null)
  nowMs += 179 * 86_400_000
  const again = before.make(device, ada)
  nowMs += 2 * 86_400_000
  t.is(before.read(text, ada), null)
  t.is(before.read(again, ada), device)
})
