// An unmigrated database on the test command's server.
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { dropDatabase } from '../_kit/db.ts'

export type EmptyDatabase = {
  readonly url: string
  query<Row extends object>(text: string): Promise<Row[]>
  /** Opens a separate connection, for example to hold a lock. */
  connect(): Promise<pg.Client>
  stop(): Promise<void>
}

export async function makeEmptyDatabase(): Promise<EmptyDatabase> {
  const adminUrl = process.env['TEST_DATABASE_URL'] ?? ''
  const name = `empty_${randomBytes(6).toString('hex')}`
  await run(adminUrl, `create database ${name}`)
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return {
    url: url.href,
    query: async <Row extends object>(text: string) => (await run(url.href, text)) as Row[],
    async connect() {
      const client = new pg.Client({ connectionString: url.href })
      await client.connect()
      return client
    },
    stop: async () => await dropDatabase(adminUrl, name),
  }
}

async function run(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<object>(statement)).rows
  } finally {
    await client.end()
  }
}
