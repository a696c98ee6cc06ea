// One-time tasks on a server that stops answering in the middle or at the end: they end all the same.
import test from 'ava'
import { prepareLogins } from '../../src/store/logins.ts'
import { migrate } from '../../src/store/migrate.ts'
import { refuseTransactionPooler } from '../../src/store/refuse-pooler.ts'
import { askServer } from '../../src/store/watch-server.ts'
import { openRelay } from '../_kit/relay.ts'
import { until } from '../_kit/until.ts'
import { makeEmptyDatabase } from './_empty-database.ts'
import { openFrozenAtGoodbye } from './_frozen-at-goodbye.ts'

const acts: Readonly<Record<string, (url: string) => Promise<unknown>>> = {
  'a migration': async (url) => await migrate(url),
  'the search for a pooler': refuseTransactionPooler,
  // The user exists and has the roles that it needs.
  'the preparation of logins': async (url) => await prepareLogins(url, [{ url, roles: [] }]),
  'the watch of a server': askServer,
}

for (const [name, act] of Object.entries(acts))
  test(`${name} keeps no connection to a server that freezes at its end`, async (t) => {
    const base = await makeEmptyDatabase()
    t.teardown(base.stop)
    const frozen = await openFrozenAtGoodbye(base.url)
    t.teardown(frozen.stop)
    await act(frozen.url)
    await t.notThrowsAsync(until(() => frozen.open() === 0))
  })

test('a migration that waits for another one fails if the server stops answering meanwhile', async (t) => {
  const base = await makeEmptyDatabase()
  t.teardown(base.stop)
  const rival = await base.connect()
  t.teardown(() => rival.end())
  await rival.query('select pg_advisory_lock(7277411)')
  const url = new URL(base.url)
  const relay = await openRelay(Number(url.port))
  t.teardown(relay.stop)
  url.port = String(relay.port)
  await t.throwsAsync(migrate(url.href, { rivalMs: 1, onRival: () => relay.set('silent') }))
})
