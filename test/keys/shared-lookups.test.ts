import test from 'ava'
import pg from 'pg'
import { makeApiKey } from '../../src/keys/key-text.ts'
import { countBehind } from '../_kit/lock-waits.ts'
import { startService } from '../_kit/serve.ts'
import { until } from '../_kit/until.ts'

test('unknown keys of one client leave a connection for others, even if a front has only two', async (t) => {
  const service = await startService({ DATABASE_CONTROL_CONNECTIONS: 2, TRUSTED_PROXIES: 1 })
  const locker = new pg.Client({ connectionString: service.databaseUrl })
  const get = async (path: string, token: string | undefined, ip: string): Promise<number> => {
    const headers = { 'x-forwarded-for': ip }
    return (await service.call('GET', path, { headers, ...(token === undefined ? {} : { token }) })).status
  }
  try {
    await locker.connect()
    await locker.query('begin')
    await locker.query('lock table api_keys in access exclusive mode')
    const guesses = Array.from({ length: 4 }, async () => await get('/v1/workspace/me', makeApiKey().text, '192.0.2.1'))
    await until(async () => (await countBehind(locker)) > 0)
    for (let nth = 0; nth < 3; nth += 1) t.is(await get(`/v1/workspaces`, undefined, '192.0.2.2'), 200)
    await locker.query('rollback')
    for (const status of await Promise.all(guesses)) t.true(status === 401 || status === 503, String(status))
  } finally {
    await locker.end()
    await service.stop()
  }
})
