// Floor 2. Brings a database to the schema of this code: numbered files, forward only, under one lock.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import pg from 'pg'

export type Migration = {
  readonly version: number
  readonly name: string
  readonly sql: string
  readonly digest: string
}

const migrationFolder = fileURLToPath(new URL('../../sql/migrate/', import.meta.url))

// Any fixed number: it only has to be ours.
const migrationLock = 7_277_411
const lockTimeout = '5s'

/** Reads the migrations in order. Throws where numbers are missing or doubled. */
export function loadMigrations(folder: string = migrationFolder): Migration[] {
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
  return files.map((file, at) => {
    const version = Number(file.slice(0, 4))
    if (version !== at + 1) throw new Error(`migration ${file} should have the number ${at + 1}`)
    const sql = readFileSync(`${folder}/${file}`, 'utf8')
    return { version, name: file.slice(0, -4), sql, digest: createHash('sha256').update(sql).digest('hex') }
  })
}

/**
 * Applies what is missing; several processes may call it at once. A file whose first line says `-- no-transaction` runs outside one.
 * Gives the names of what it applied. Throws where the database is newer than the code or a past file was changed.
 */
export async function migrate(url: string, migrations: readonly Migration[] = loadMigrations()): Promise<string[]> {
  const client = new pg.Client({ connectionString: url, application_name: 'tracewright-migrate' })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    await client.query(
      `create table if not exists schema_migrations (
         version integer primary key, name text not null, digest text not null, applied_at timestamptz not null default now())`,
    )
    const done = await readApplied(client, migrations)
    const applied: string[] = []
    for (const migration of migrations.filter(({ version }) => !done.has(version))) {
      await apply(client, migration)
      applied.push(migration.name)
    }
    return applied
  } finally {
    await client.end()
  }
}

async function readApplied(client: pg.Client, migrations: readonly Migration[]): Promise<Set<number>> {
  const { rows } = await client.query<{ version: number; name: string; digest: string }>(
    'select version, name, digest from schema_migrations order by version',
  )
  const last = migrations.at(-1)?.version ?? 0
  for (const row of rows) {
    if (row.version > last) {
      throw new Error(`the database is at migration ${row.name}, which this version does not know: run a newer version`)
    }
    if (migrations[row.version - 1]?.digest !== row.digest) {
      throw new Error(`migration ${row.name} was changed after it had been applied`)
    }
  }
  return new Set(rows.map(({ version }) => version))
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  const record = 'insert into schema_migrations (version, name, digest) values ($1, $2, $3)'
  const values = [migration.version, migration.name, migration.digest]
  if (migration.sql.startsWith('-- no-transaction')) {
    await client.query(migration.sql)
    await client.query(record, values)
    return
  }
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = '${lockTimeout}'`)
    // The record first: a rival that slipped past the lock clashes here before it changes anything.
    await client.query(record, values)
    await client.query(migration.sql)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new Error(`migration ${migration.name} failed`, { cause: error })
  }
}
