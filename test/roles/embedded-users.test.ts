// The database users of a data directory that the previous release has written, and of a server whose administrator grants no right to create
// users.

import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import test from 'ava'
import pg from 'pg'
import { readConfig } from '../../src/config.ts'
import { openDatabases } from '../../src/roles/databases.ts'
import { runMigrations } from '../../src/roles/migrate.ts'
import { startEmbeddedPostgres } from '../../src/store/embedded/server.ts'
import { prepareEmbeddedUsers } from '../../src/store/embedded/users.ts'
import { migrate } from '../../src/store/migrate.ts'
import { loadMigrations } from '../../src/store/schema.ts'
import { findScratchFolder } from '../_kit/scratch-folder.ts'
import { until } from '../_kit/until.ts'
import { openFrozenAtGoodbye } from '../store/_frozen-at-goodbye.ts'
import { keepLines } from './_log.ts'

const warning =
  'warn the database user has more privileges than the service needs: see "Database users" in deploy/docs/configuration.md'
// The migrations of the release before the roles.
const before = loadMigrations().slice(0, 23)

type Ask = <Row>(text: string, values?: unknown[]) => Promise<Row[]>

async function within(url: string, act: (ask: Ask) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await act(async (text, values = []) => (await client.query(text, values)).rows)
  } finally {
    await client.end()
  }
}

const protocolVersion = 3 << 16

/** Starts a login and sends no password after the server has asked for it. */
async function beginLogin(url: string): Promise<Socket> {
  const { hostname, port, username } = new URL(url)
  const socket = connect(Number(port), hostname)
  // The server resets it when it stops.
  socket.on('error', () => undefined)
  const names = Buffer.from(`user\0${username}\0database\0postgres\0\0`)
  const head = Buffer.alloc(8)
  head.writeInt32BE(head.length + names.length)
  head.writeInt32BE(protocolVersion, 4)
  socket.write(Buffer.concat([head, names]))
  await once(socket, 'data')
  return socket
}

const readOwners = `
  select distinct pg_get_userbyid(relowner) as owner from pg_class where relnamespace = 'public'::regnamespace
  union select pg_get_userbyid(proowner) from pg_proc where pronamespace = 'public'::regnamespace`

test('the tables of a data directory that belong to the superuser are reassigned, and the service user owns nothing', async (t) => {
  const folder = mkdtempSync(join(findScratchFolder(), 'embedded-users-'))
  chmodSync(folder, 0o755)
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const dataDir = join(folder, 'data')
  // Takes over the running server.
  const start = async () => await startEmbeddedPostgres({ dataDir, settings: ['fsync=off'], onLine: () => undefined })
  const old = await start()
  const workspace = randomUUID()
  await migrate(old.url('postgres'), { migrations: before })
  await within(old.url('postgres'), async (ask) => {
    await ask(`insert into orgs (id, name) values ($1, 'a')`, [workspace])
    await ask(
      `insert into workspaces (id, org_id, name, plan, redaction_secret) values ($1, $1, 'a', 'self_hosted', '\\x00')`,
      [workspace],
    )
    await ask(
      `insert into api_keys (id, workspace_id, name, key_prefix, digest, created_by) values ($1, $1, 'a', 'a', 'digest', $1)`,
      [workspace],
    )
    t.deepEqual(await ask(readOwners), [{ owner: 'tracewright' }])
  })
  await old.stop()
  const config = readConfig({ TRACEWRIGHT_DATA_DIR: dataDir })
  const { log, lines, faults } = keepLines()
  for (const _ of ['the first start', 'the next']) {
    const databases = await openDatabases(config, log, () => undefined)
    try {
      const { control, cluster } = databases
      t.like(await control.row('store/read-user'), {
        name: 'tracewright_service',
        is_super: false,
        is_owner: false,
        is_front: true,
        is_actor: true,
      })
      t.like(await control.row('keys/find-by-digest', [Buffer.from('digest')]), { workspace_id: workspace })
      t.is(await control.run('keys/revoke', [workspace, workspace]), 1)
      t.is((await cluster.rows('keys/read-events', [0, 10])).length, 1, 'the trigger writes what the service may not')
      await within((await start()).url('postgres'), async (ask) => {
        t.deepEqual(await ask(readOwners), [{ owner: 'tracewright_owner' }])
        t.deepEqual(
          await ask(
            `select has_database_privilege($1, current_database(), 'temporary') as temp, has_function_privilege($1, 'lo_create(oid)', 'execute') as lo`,
            ['tracewright_service'],
          ),
          [{ temp: false, lo: false }],
        )
        t.deepEqual(
          await ask(
            `select distinct usename from pg_stat_activity where application_name ~ '^tracewright-(ingest|control|cluster|owner)$'`,
          ),
          [{ usename: 'tracewright_service' }],
        )
        // The previous release runs on the folder as this release has changed it.
        t.is((await ask('update api_keys set revoked_at = null returning id')).length, 1)
        await ask('delete from key_events')
      })
      const login = await beginLogin((await start()).url('postgres'))
      t.teardown(() => login.destroy())
    } finally {
      await databases.stop()
    }
  }
  t.true(lines.includes('info migrations applied'))
  t.deepEqual(faults, [])

  // On the same server: an owner of another database who may not create roles, as with an earlier release.
  const server = await start()
  t.teardown(() => server.stop())
  const frozen = await openFrozenAtGoodbye(server.url('postgres'))
  t.teardown(frozen.stop)
  await prepareEmbeddedUsers(frozen.url, dataDir)
  await t.notThrowsAsync(
    until(() => frozen.open() === 0),
    'a server that freezes at the end is left behind',
  )
  const user = 'someone'
  await within(server.url('postgres'), async (ask) => {
    await ask(`create role ${user} login password 'test'`)
    await ask(`create database theirs owner ${user}`)
    await ask('drop owned by tracewright_service, tracewright_front, tracewright_actor')
    await ask('drop role tracewright_service, tracewright_front, tracewright_actor')
  })
  const theirs = Object.assign(new URL(server.url('theirs')), { username: user, password: 'test' })
  const settings = { TRACEWRIGHT_DATABASE_URL: theirs.href, TRACEWRIGHT_SECRET: 'x'.repeat(32) }
  const reason =
    /^the user someone may not create roles: an administrator must run `create role tracewright_front nologin; create role tracewright_actor nologin;` once/
  t.regex((await migrate(theirs.href)).grantFault ?? '', reason)
  const alone = keepLines()
  await (await openDatabases(readConfig(settings), alone.log, () => undefined)).stop()
  t.deepEqual(
    alone.faults,
    ['warn the grants of sql/grants.sql were not applied: undefined', `${warning}: undefined`].map((line) =>
      line.replace(': undefined', ': null'),
    ),
  )
  const serviceUrl = Object.assign(new URL(theirs), { username: 'runs', password: 'secret word' }).href
  const both = { ...settings, TRACEWRIGHT_DATABASE_URL: serviceUrl, TRACEWRIGHT_MIGRATE_DATABASE_URL: theirs.href }
  await t.throwsAsync(
    openDatabases(readConfig(both), alone.log, () => undefined),
    {
      message:
        /^the user of the migration is not allowed to prepare the database login runs, and nothing was changed: an administrator must run `create role "tracewright_front"; .*grant "tracewright_front", "tracewright_actor" to "runs";`/,
    },
  )
  const clustered = { ...settings, TRACEWRIGHT_ROLES: 'migrate', TRACEWRIGHT_FRONT_DATABASE_URL: serviceUrl }
  await t.throwsAsync(runMigrations(readConfig(clustered), alone.log), { message: /an administrator must run/ })

  // Once the right to create roles is granted, the same settings create the user, and reset its password if it was different.
  await within(server.url('postgres'), async (ask) => void (await ask(`alter role ${user} createrole`)))
  for (const password of ['secret word', 'another']) {
    const { log: next, lines: told, faults: none } = keepLines()
    const url = Object.assign(new URL(serviceUrl), { password }).href
    const databases = await openDatabases(readConfig({ ...both, TRACEWRIGHT_DATABASE_URL: url }), next, () => undefined)
    t.like(await databases.control.row('store/read-user'), {
      name: 'runs',
      is_owner: false,
      is_front: true,
      is_actor: true,
    })
    await databases.stop()
    t.true(told.includes('info created or updated database users'))
    t.deepEqual(none, [])
  }
  await t.throwsAsync(
    within(serviceUrl, async () => undefined),
    { code: '28P01' },
  )
  // Passwords of other users are never set, and nothing is set if a part is not allowed.
  await within(server.url('theirs'), async (ask) => {
    await ask(`create role stranger login password 'test'`)
    await ask(`create role dba createdb login password 'test' in role tracewright_front, tracewright_actor`)
    await ask(`create role given login password 'test' in role tracewright_front, tracewright_actor`)
    const readRoles = async () => await ask('select rolname, rolpassword, rolcanlogin from pg_authid order by 1')
    const readMembers = async () => await ask('select roleid, member from pg_auth_members order by 1, 2')
    await ask(`revoke admin option for tracewright_front, tracewright_actor from ${user} cascade`)
    const [asThey, members] = [await readRoles(), await readMembers()]
    const superuser = new URL(server.url('theirs')).username
    const refusals: readonly [string, RegExp][] = [
      [user, /^the database user someone cannot be a login of the service, .*is the user that migrates/],
      [superuser, /cannot be a login of the service, and its password was not changed: it is a superuser/],
      ['dba', /it may create databases\. Check the user/],
      [
        'stranger',
        /exists and is not a login of .* must run `grant "tracewright_front", "tracewright_actor" to "stranger";`/,
      ],
      ['given', /login given, and nothing was changed: .* must run `alter role "given" login password '…';` once$/],
      [
        'fresh',
        /run `create role "fresh" login password '…'; grant "tracewright_front", "tracewright_actor" to "fresh";`/,
      ],
      [
        'tracewright_front',
        /^the database user tracewright_front must not get the privileges of tracewright_front and/,
      ],
    ]
    for (const [username, message] of refusals) {
      const url = Object.assign(new URL(theirs), { username, password: 'typo' }).href
      await t.throwsAsync(
        openDatabases(readConfig({ ...both, TRACEWRIGHT_DATABASE_URL: url }), keepLines().log, () => undefined),
        { message },
        username,
      )
    }
    const works = Object.assign(new URL(theirs), { username: 'given' }).href
    const { log: told, faults: none } = keepLines()
    await (await openDatabases(readConfig({ ...both, TRACEWRIGHT_DATABASE_URL: works }), told, () => undefined)).stop()
    t.deepEqual(none, [])
    t.deepEqual(await readRoles(), asThey)
    t.deepEqual(await readMembers(), members)
    await ask(`grant tracewright_front, tracewright_actor to ${user} with admin option`)
  })
  // A user with the wrong role is refused at the start.
  const frontUrl = Object.assign(new URL(theirs), { username: 'fronts', password: 'test' }).href
  await runMigrations(readConfig({ ...clustered, TRACEWRIGHT_FRONT_DATABASE_URL: frontUrl }), keepLines().log)
  const wrong = {
    ...both,
    TRACEWRIGHT_DATABASE_URL: frontUrl,
    TRACEWRIGHT_NATS_URL: 'nats://127.0.0.1:1',
    TRACEWRIGHT_ROLES: 'actor',
  }
  const { TRACEWRIGHT_SECRET: _, ...actor } = wrong
  await t.throwsAsync(
    openDatabases(readConfig(actor), keepLines().log, () => undefined),
    {
      message: 'the database user fronts is not a member of tracewright_actor, which the role actor needs',
    },
  )
})
