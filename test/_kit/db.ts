// A separate database for a test file, cloned from a template with the migrated schema.
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import type { Database } from '../../src/store/database.ts'
import { actorRole, frontRole, prepareLogins } from '../../src/store/logins.ts'
import { migrate } from '../../src/store/migrate.ts'
import { type DatabaseOptions, openDatabase } from '../../src/store/open-database.ts'
import { loadStatements, type Statements } from '../../src/store/statements.ts'
import { tryAgain } from './try-again.ts'

/** The users of the service's processes. They own nothing. */
const logins = {
  service: { user: 'tracewright_test_service', roles: [frontRole, actorRole] },
  front: { user: 'tracewright_test_front', roles: [frontRole] },
  actor: { user: 'tracewright_test_actor', roles: [actorRole] },
} as const

export type TestDatabase = {
  /** URL for a superuser, who also applied the migrations. */
  readonly url: string
  /** URLs for a process of both roles, a front and an actor. */
  readonly urls: Readonly<Record<keyof typeof logins, string>>
  readonly db: Database
  /** Connections of a front and of an actor, with the rights that they have in a cluster. */
  readonly front: Database
  readonly actor: Database
  /** Runs plain SQL as the superuser. */
  query<Row extends object = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>
  stop(): Promise<void>
}

/** Creates the template from which every test database is copied. */
export async function prepareTemplate(adminUrl: string, template: string): Promise<void> {
  await admin(adminUrl, `create database ${template}`)
  await tryAgain(async () => await migrate(withDatabase(adminUrl, template)))
  const urls = readUrls(adminUrl)
  const users = Object.entries(logins).map(([name, { roles }]) => ({ url: urls[name as keyof typeof logins], roles }))
  await tryAgain(async () => await prepareLogins(adminUrl, users))
  await useFewRounds([adminUrl, ...Object.values(urls)])
  // No session may be connected to the template while it is copied; TimescaleDB's scheduler connects to every database that allows it.
  await admin(adminUrl, `alter database ${template} allow_connections false`)
}

/**
 * Sets the passwords of these URLs again, with the server's number of rounds: initdb and the service use 4096, which clients compute for each
 * of thousands of connections. On a server that others have set up, this changes nothing.
 */
async function useFewRounds(urls: readonly [admin: string, ...string[]]): Promise<void> {
  const [row] = await admin<{ rounds: string }>(urls[0], "select current_setting('scram_iterations', true) as rounds")
  if (row?.rounds !== '1') return
  for (const url of urls) {
    const { username, password } = new URL(url)
    await admin(
      urls[0],
      `alter role ${pg.escapeIdentifier(decodeURIComponent(username))} password ${pg.escapeLiteral(decodeURIComponent(password))}`,
    )
  }
}

/** Returns the name of the copy of the template that is filled for tests of plans (test/queries/_plan-filled.ts). */
export const fillNameOf = (template: string): string => `${template}_plans`

/** Drops the filled copy too. */
export async function dropTemplate(adminUrl: string, template: string): Promise<void> {
  await dropDatabase(adminUrl, fillNameOf(template))
  await dropDatabase(adminUrl, template)
}

/** To be called in a file of test/timescale before its first makeDatabase: its databases are then on the server with TimescaleDB. */
export function useTimescale(): void {
  const fault = process.env['TEST_TIMESCALE_FAULT']
  if (fault !== undefined) throw new Error(fault)
  process.env['TEST_DATABASE_URL'] = readVariable('TEST_TIMESCALE_URL')
}

/** Clones the template, that of the run by default; stop() drops the clone. */
export async function makeDatabase(template?: string): Promise<TestDatabase> {
  const { create, ...database } = nameDatabase(template)
  await create()
  return database
}

/** Returns a database that exists once `create` has resolved. */
export function nameDatabase(
  template = readVariable('TEST_TEMPLATE'),
): TestDatabase & { readonly create: () => Promise<void> } {
  const adminUrl = readVariable('TEST_DATABASE_URL')
  const name = `test_${randomBytes(6).toString('hex')}`
  const url = withDatabase(adminUrl, name)
  const urls = readUrls(url)
  // The pools connect on first use.
  const [db, front, actor] = [openTestPool(url), openTestPool(urls.front), openTestPool(urls.actor)]
  const pool = new pg.Pool({ connectionString: url, max: 2 })
  pool.on('error', () => undefined)
  return {
    url,
    urls,
    db,
    front,
    actor,
    query: async <Row extends object>(text: string, values: unknown[] = []) =>
      (await pool.query<Row>(text, values)).rows,
    // Copying files costs half as much as writing pages to the log, and without fsync the checkpoint takes no time.
    create: async () => void (await admin(adminUrl, `create database ${name} template ${template} strategy file_copy`)),
    stop: async () => {
      await Promise.all([db.stop(), front.stop(), actor.stop(), pool.end()])
      await dropDatabase(adminUrl, name)
    },
  }
}

/** Runs plain SQL in one transaction, on a connection of its own. */
export async function inTransaction<T>(url: string, work: (query: TestDatabase['query']) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('begin')
    const result = await work(
      async <Row extends object>(text: string, values: unknown[] = []) => (await client.query<Row>(text, values)).rows,
    )
    await client.query('commit')
    return result
  } finally {
    await client.end()
  }
}

/** Read once, since a file may make hundreds of databases. */
let statements: Statements | undefined

/** Opens a pool of its own. It connects on first use. */
export const openTestPool = (url: string, options: Partial<DatabaseOptions> = {}): Database =>
  openDatabase({
    url,
    statements: (statements ??= loadStatements()),
    name: 'test',
    maxConnections: 6,
    statementTimeoutMs: 30_000,
    acquireTimeoutMs: 30_000,
    onIdleError: () => undefined,
    ...options,
  })

/** Returns the URLs of the same database for each login. */
export function readUrls(adminUrl: string): TestDatabase['urls'] {
  const as = (name: keyof typeof logins): string =>
    Object.assign(new URL(adminUrl), { username: logins[name].user, password: 'test' }).href
  return { service: as('service'), front: as('front'), actor: as('actor') }
}

const inUse = '55006'

/** Drops a database, if it exists. PostgreSQL allows the sessions that it ends 5 s; on a busy machine a session may need more, so the drop is repeated. */
export async function dropDatabase(adminUrl: string, name: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await admin(adminUrl, `drop database if exists ${name} with (force)`)
      return
    } catch (error) {
      if ((error as { code?: string }).code !== inUse || attempt === 5) throw error
    }
  }
}

/** Returns a variable that `npm test` sets for test files. */
export function readVariable(name: string): string {
  const value = process.env[name]
  if (value === undefined)
    throw new Error(`${name} is not set: run the tests by \`npm test\` or \`npm test -- <files>\``)
  return value
}

const admins = new Map<string, pg.Pool>()

/**
 * Runs a statement on a pooled connection, since opening one costs a third as much as creating a database. Idle connections do not keep the
 * process alive.
 */
async function admin<Row extends object>(url: string, statement: string): Promise<Row[]> {
  let pool = admins.get(url)
  if (pool === undefined) {
    pool = new pg.Pool({ connectionString: url, max: 2, allowExitOnIdle: true })
    // The server may have stopped by then.
    pool.on('error', () => undefined)
    admins.set(url, pool)
  }
  return (await pool.query<Row>(statement)).rows
}

/** Returns the URL of another database of the same server. */
export function withDatabase(url: string, name: string): string {
  const parsed = new URL(url)
  parsed.pathname = `/${name}`
  return parsed.href
}
