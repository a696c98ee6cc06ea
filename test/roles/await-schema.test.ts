// A process of a cluster with a schema that does not exist yet, is newer, or must not be used.
import { randomBytes } from 'node:crypto'
import test from 'ava'
import { type Config, readConfig } from '../../src/config.ts'
import { awaitSchema } from '../../src/roles/await-schema.ts'
import { runMigrations } from '../../src/roles/migrate.ts'
import { migrate } from '../../src/store/migrate.ts'
import { loadMigrations, type Migration } from '../../src/store/schema.ts'
import { makeDatabase, readUrls } from '../_kit/db.ts'
import { toEnvironment } from '../_kit/environment.ts'
import { findFreePorts } from '../_kit/free-port.ts'
import { startNats } from '../_kit/nats.ts'
import { startAll } from '../_kit/start-all.ts'
import { until } from '../_kit/until.ts'
import { makePart } from '../cluster/_part.ts'
import { makeEmptyDatabase } from '../store/_empty-database.ts'
import { keepLines } from './_log.ts'

const readClustered = (url: string, settings: Readonly<Record<string, string>> = {}): Config => {
  const all = {
    DATABASE_URL: url,
    NATS_URL: 'nats://127.0.0.1:1',
    SECRET: randomBytes(32).toString('hex'),
    ...settings,
  }
  return readConfig(toEnvironment(all))
}

async function probe(port: number, what: string): Promise<unknown> {
  return await fetch(`http://127.0.0.1:${port}/v1/health/${what}`).then(
    async (response) => [response.status, await response.json()],
    () => 'nobody listens',
  )
}

test('it is live but not ready, and continues as soon as the migrations have run', async (t) => {
  const database = await makeEmptyDatabase()
  const [port = 0, metricsPort = 0] = await findFreePorts(2)
  const { log, lines } = keepLines()
  const settings = { PORT: String(port), METRICS_PORT: String(metricsPort) }
  const waiting = awaitSchema(readClustered(database.url, settings), log, { pollMs: 50 })
  await until(async () => (await probe(port, 'live')) !== 'nobody listens')
  t.deepEqual(await probe(port, 'live'), [200, { status: 'ok', checks: {} }])
  t.deepEqual(await probe(port, 'ready'), [503, { status: 'unavailable', checks: { schema: 'failed' } }])
  const told = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  t.true(told.includes('tracewright_ready{check="schema"} 0'))
  // The alert about missing fronts recognizes a front that serves by this metric.
  t.true(told.includes('tracewright_info{'))
  t.false(told.includes('tracewright_routes_known'))
  // A half-migrated schema is not enough.
  await migrate(database.url, { migrations: loadMigrations().slice(0, 3) })
  t.deepEqual(await probe(port, 'ready'), [503, { status: 'unavailable', checks: { schema: 'failed' } }])
  await migrate(database.url)
  await waiting
  t.is(await probe(port, 'live'), 'nobody listens')
  t.deepEqual(lines, [
    'warn the database lacks migrations: this process is not ready until `TRACEWRIGHT_ROLES=migrate` has run with this version',
    'info the database has all migrations that this version needs',
  ])
  await database.stop()
})

test('a process whose user has no privileges yet waits for them as for the schema, and logs it', async (t) => {
  const database = await makeEmptyDatabase()
  await migrate(database.url, { migrations: loadMigrations() })
  const { log, lines } = keepLines()
  const stop = new AbortController()
  t.teardown(() => stop.abort())
  const config = readClustered(readUrls(database.url).front, { PORT: '0', METRICS_PORT: '0' })
  const waiting = awaitSchema(config, log, { pollMs: 20, signal: stop.signal })
  await Promise.race([waiting, until(() => lines.length > 0)])
  t.is(lines.length, 1)
  t.regex(
    lines[0] ?? '',
    /^warn the database user has no privileges on the schema yet: this process waits until .+ and the user is a member of the roles in `memberOf`/,
  )
  await t.throwsAsync(awaitSchema(config, keepLines().log, { pollMs: 10, waitMs: 30 }), {
    message:
      /still lacks migrations, or the privileges on them, after .+; if it has run, an administrator .+ "grant tracewright_front.* to "\w+""$/,
  })
  await migrate(database.url)
  await waiting
  t.is(lines[1], 'info the database has all migrations that this version needs')
  await database.stop()
})

test('the wait is limited, and ends at once on a signal to stop', async (t) => {
  const database = await makeEmptyDatabase()
  const config = readClustered(database.url, { PORT: '0', METRICS_PORT: '0' })
  const { log } = keepLines()
  await t.throwsAsync(awaitSchema(config, log, { pollMs: 10, waitMs: 50 }), {
    message: /still lacks migrations after 0 s: run TRACEWRIGHT_ROLES=migrate/,
  })
  const stopping = new AbortController()
  const waiting = awaitSchema(config, log, { signal: stopping.signal })
  stopping.abort()
  await t.throwsAsync(waiting, { name: 'AbortError' })
  await database.stop()
})

test('SIGTERM ends the wait with exit code 0', async (t) => {
  const database = await makeEmptyDatabase()
  const [port = 0, metricsPort = 0] = await findFreePorts(2)
  const settings = { DATABASE_URL: database.url, NATS_URL: 'nats://127.0.0.1:1', LOG_LEVEL: 'warn' }
  const part = makePart({ name: 'waiting', role: 'actor', port, metricsPort, settings })
  await part.start()
  t.false(await part.isReady())
  t.is(await part.end('SIGTERM'), 0)
  await database.stop()
})

test('it runs on a newer schema at once, unless that has taken away what it uses', async (t) => {
  const database = await makeEmptyDatabase()
  const known = loadMigrations()
  const next = (version: number, minSchema: number): Migration => ({
    version,
    name: `next ${version}`,
    sql: 'select 1',
    digest: 'x',
    minSchema,
  })
  const config = readClustered(database.url)
  const more = [...known, next(known.length + 1, 0)]
  await migrate(database.url, { migrations: more })
  const { log, lines } = keepLines()
  await awaitSchema(config, log)
  t.deepEqual(lines, ['info the database schema is newer than this version, and compatible with it'])
  await migrate(database.url, { migrations: [...more, next(known.length + 2, known.length + 1)] })
  await t.throwsAsync(awaitSchema(config, log), { name: 'SchemaFault', message: /run a newer version/ })
  await t.throwsAsync(runMigrations(config, log), { name: 'SchemaFault', message: /run a newer version/ })
  await database.stop()
})

test('the migrate step of an old version on a newer schema says so and does nothing', async (t) => {
  const database = await makeEmptyDatabase()
  await migrate(database.url)
  await database.query(`insert into schema_migrations (version, name, digest) values (99, 'of the future', 'x')`)
  const { log, lines } = keepLines()
  await runMigrations(readClustered(database.url), log)
  t.is(lines[0], 'info the database schema is newer than this version, and compatible with it: no migration is needed')
  await database.stop()
})

test('a clustered process serves by a login that had its privileges before there were roles', async (t) => {
  const database = await makeDatabase()
  t.teardown(database.stop)
  const nats = await startNats()
  t.teardown(nats.stop)
  const role = `limited_${randomBytes(6).toString('hex')}`
  await database.query(`create role ${role} login password 'x'`)
  await database.query(`grant select, insert, update, delete on all tables in schema public to ${role}`)
  await database.query(`grant usage on all sequences in schema public to ${role}`)
  // Functions that were open to every user before remain open to it.
  await runMigrations(readClustered(database.url), keepLines().log)
  const url = new URL(database.url)
  url.username = role
  url.password = 'x'
  const settings = { NATS_URL: nats.url, PORT: '0', METRICS_PORT: '0', DRAIN_DELAY_MS: '0', ROLES: 'front,actor' }
  const { log, faults } = keepLines()
  const running = await startAll(readClustered(url.href, settings), log, (reason) => t.fail(reason))
  t.teardown(running.stop)
  await until(async () => (await fetch(`http://127.0.0.1:${running.port}/v1/health/ready`)).ok)
  const call = async (path: string, body: object, token = ''): Promise<Response> =>
    await fetch(`http://127.0.0.1:${running.port}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    })
  const signUp = await call('/v1/auth/signup', {
    email: 'someone@example.com',
    password: 'correct horse battery staple',
  })
  t.is(signUp.status, 201)
  const [workspace] = await database.query<{ id: string }>('select id from workspaces')
  const { access_token: token } = (await signUp.json()) as { access_token: string }
  const minted = await call('/v1/keys', { workspace_id: workspace?.id, name: 'one' }, token)
  const { api_key: key } = (await minted.json()) as { api_key: string }
  t.is((await call('/v1/otlp/v1/traces', { resourceSpans: [] }, key)).status, 200)
  await running.stop()
  // A machine that stands still causes these two.
  const own = faults.filter(
    (line) => !/^warn (NATS reported an error: not connected|the actors of this process stopped answering)/.test(line),
  )
  t.deepEqual(own, [
    'warn the database user is not a member of tracewright_front or tracewright_actor: see "Database users" in deploy/docs/configuration.md: null',
  ])
  await database.query(`drop owned by ${role}`)
  await database.query(`drop role ${role}`)
})
