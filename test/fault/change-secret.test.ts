// The secret is changed under load by restarts, as deploy/docs/secrets.md describes, and signed-in users notice nothing. The service is started
// and stopped in this process; `npm run soak -- --only secret` restarts the fronts of a cluster.
import { randomBytes } from 'node:crypto'
import test from 'ava'
import { readConfig } from '../../src/config.ts'
import type { Running } from '../../src/roles/all.ts'
import { makeLog } from '../../src/telemetry/log.ts'
import { makeDatabase } from '../_kit/db.ts'
import { type TestSettings, toEnvironment } from '../_kit/environment.ts'
import { isSoak } from '../_kit/soak.ts'
import { startAll } from '../_kit/start-all.ts'
import { until } from '../_kit/until.ts'
import { openSessions } from './_sessions.ts'

const people = 2
const [was, is] = [randomBytes(32).toString('base64url'), randomBytes(32).toString('base64url')]

test('two restarts change the secret without a 401, and earlier tokens and cursors stay valid; the control without the other secret fails', async (t) => {
  t.timeout(220_000)
  const { url, urls, query, stop } = await makeDatabase()
  t.teardown(stop)
  const shared = {
    DATABASE_URL: urls.service,
    MIGRATE_DATABASE_URL: url,
    // Tokens stay valid after a start on another port.
    PUBLIC_URL: 'http://localhost:8080',
    PORT: 0,
    METRICS_PORT: 0,
    AUTH_RATE_LIMITS: 'off',
    PASSWORD_HASH_MEMORY_MIB: 19,
    LOG_LEVEL: 'silent',
    DECODE_THREADS: 1,
    DRAIN_MS: 60_000,
  }
  async function begin(secrets: TestSettings): Promise<Running> {
    const config = readConfig(toEnvironment({ ...shared, ...secrets }))
    return await startAll(config, makeLog(config.LOG_LEVEL), (reason) => {
      throw new Error(`the service gave up: ${reason}`)
    })
  }
  const readSealed = async (): Promise<string[]> =>
    (
      await query<{ seal: string }>(
        `select encode(sealed_private_key, 'hex') as seal from signing_keys
         union all select encode(sealed_secret, 'hex') from sessions`,
      )
    ).map(({ seal }) => seal)

  let service = await begin({ SECRET: was })
  const urlOf = ({ port }: Running): string => `http://127.0.0.1:${port}`
  const sessions = await openSessions(urlOf(service), people)
  async function restart(secrets: TestSettings): Promise<void> {
    await sessions.answered()
    await service.stop()
    service = await begin(secrets)
    sessions.move(urlOf(service))
    await sessions.answered()
  }
  try {
    const sealed = await readSealed()

    await restart({ SECRET: is, SECRET_OTHER: was })
    t.deepEqual(sessions.oddities, [])
    t.is(sessions.refusedCursors(), 0)
    await until(async () => !(await readSealed()).some((seal) => sealed.includes(seal)))

    await restart({ SECRET: is })
    t.deepEqual(sessions.oddities, [])
    // Readers with a cursor from before the change start again, as after a day; newer cursors stay valid.
    t.is(sessions.refusedCursors(), people)

    t.log(JSON.stringify(sessions.answers))
    await service.stop()
    await t.throwsAsync(begin({ SECRET: was }), { message: /is not the secret that encrypted it/ })
    if (!isSoak) return
    // It would start only after all sealed data is deleted, and then every user is signed out.
    await query('delete from signing_keys')
    service = await begin({ SECRET: was })
    sessions.move(urlOf(service))
    await until(() => sessions.oddities.some((oddity) => oddity.startsWith('token of before: 401')))
  } finally {
    await sessions.stop()
    await service.stop()
  }
})
