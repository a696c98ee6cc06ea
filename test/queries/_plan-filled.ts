// Copies of one database that is filled for the tests of plans: to fill it takes seconds, to copy it a fraction of one.
import pg from 'pg'
import { fillNameOf, makeDatabase, readVariable, type TestDatabase, withDatabase } from '../_kit/db.ts'
import { fillForPlans } from './_plan-data.ts'

export type FilledDatabase = TestDatabase & {
  /** Taken before the last event of `planWorkspace` was stored. */
  readonly snapshot: string
}

/** Returns a copy of the filled database of the server, which the first caller of all processes fills. */
export async function openFilled(): Promise<FilledDatabase> {
  const adminUrl = readVariable('TEST_DATABASE_URL')
  const template = readVariable('TEST_TEMPLATE')
  const name = fillNameOf(template)
  const admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  try {
    await admin.query('select pg_advisory_lock(hashtext($1))', [name])
    const snapshot = (await findFilled(admin, name)) ?? (await fill(admin, { adminUrl, template, name }))
    return { ...(await makeDatabase(name)), snapshot }
  } finally {
    await admin.end()
  }
}

/** Returns the snapshot, or null where the database is missing or not filled to its end. */
async function findFilled(admin: pg.Client, name: string): Promise<string | null> {
  const { rows } = await admin.query<{ snapshot: string | null }>(
    `select shobj_description(oid, 'pg_database') as snapshot from pg_database where datname = $1`,
    [name],
  )
  return rows[0]?.snapshot ?? null
}

type Fill = { readonly adminUrl: string; readonly template: string; readonly name: string }

/** Returns the snapshot. It is stored with the database last. */
async function fill(admin: pg.Client, { adminUrl, template, name }: Fill): Promise<string> {
  await admin.query(`drop database if exists ${name} with (force)`)
  await admin.query(`create database ${name} template ${template} strategy file_copy`)
  // Like its template, it admits no connections at first.
  await admin.query(`alter database ${name} allow_connections true`)
  const url = withDatabase(adminUrl, name)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  let snapshot: string
  try {
    const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
      (await client.query<Row>(text, values)).rows
    // Few large chunks, if the tables have chunks: for a small chunk the planner may choose any plan.
    await query('select set_chunk_hours(744)')
    snapshot = await fillForPlans({ url, query })
  } finally {
    await client.end()
  }
  await admin.query(`alter database ${name} allow_connections false`)
  await admin.query(`comment on database ${name} is ${pg.escapeLiteral(snapshot)}`)
  return snapshot
}
