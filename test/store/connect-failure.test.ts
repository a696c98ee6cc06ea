// What an operator reads if the first connection to the database fails.
import { randomUUID } from 'node:crypto'
import test from 'ava'
import { migrate } from '../../src/store/migrate.ts'
import { refuseTransactionPooler } from '../../src/store/refuse-pooler.ts'
import { isTransient } from '../../src/store/sqlstate.ts'
import { openRelay } from '../_kit/relay.ts'
import { makeEmptyDatabase } from './_empty-database.ts'

test('the error of a first connection names what to check in the database URL', async (t) => {
  const base = await makeEmptyDatabase()
  t.teardown(base.stop)
  const change = (edit: (url: URL) => void): string => {
    const url = new URL(base.url)
    edit(url)
    return url.href
  }
  const port = change((url) => (url.port = '1'))
  const error = await t.throwsAsync(migrate(port), {
    code: 'ECONNREFUSED',
    message: /ECONNREFUSED 127\.0\.0\.1:1: check the host and the port in the database URL, and that PostgreSQL runs/,
  })
  t.true(isTransient(error))
  await t.throwsAsync(migrate(change((url) => (url.pathname = `/${randomUUID()}`))), {
    code: '3D000',
    message: /does not exist: create the database, or correct its name in the database URL$/,
  })
  const password = randomUUID()
  const refused = await t.throwsAsync(
    migrate(
      change((url) => {
        url.username = `user-${randomUUID()}`
        url.password = password
      }),
    ),
    { message: /: check the user and the password in the database URL$/ },
  )
  t.notRegex(refused.message, new RegExp(password))
})

test('a server that does not answer a new connection may be asked again', async (t) => {
  const base = await makeEmptyDatabase()
  t.teardown(base.stop)
  const url = new URL(base.url)
  const relay = await openRelay(Number(url.port))
  t.teardown(relay.stop)
  relay.set('silent')
  url.port = String(relay.port)
  const error = await t.throwsAsync(refuseTransactionPooler(url.href), { message: /^timeout expired: check the host/ })
  t.true(isTransient(error))
})
