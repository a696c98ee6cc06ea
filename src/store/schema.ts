// Compares the schema of a database with the migrations that this code knows, to decide whether the code may run on it.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { readSqlstate, sqlstate } from './sqlstate.ts'

export type Migration = {
  readonly version: number
  readonly name: string
  readonly sql: string
  readonly digest: string
  /** Code that knows fewer migrations than this must not run on the schema from this migration on; 0: all code may. */
  readonly minSchema: number
}

export type SchemaState = {
  /** Migrations of this code that the database lacks, in order. */
  readonly missing: readonly Migration[]
  /** Names of migrations that the database has and this code does not know: a newer release has migrated it. */
  readonly newer: readonly string[]
}

/** This code must not run on this database. */
class SchemaFault extends Error {
  override readonly name = 'SchemaFault'
}

type Applied = {
  readonly version: number
  readonly name: string
  readonly digest: string
  readonly min_schema: number
}

const migrationFolder = fileURLToPath(new URL('../../sql/migrate/', import.meta.url))

/** Reads the migrations in order. Throws if a number is missing or used twice, or if a `min-schema` is not below the number of its file. */
export function loadMigrations(folder: string = migrationFolder): Migration[] {
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
  return files.map((file, at) => {
    const version = Number(file.slice(0, 4))
    if (version !== at + 1) throw new Error(`migration ${file} must have the number ${at + 1}`)
    const sql = readFileSync(`${folder}/${file}`, 'utf8')
    const minSchema = Number(/^-- min-schema: (\d+)$/m.exec(sql)?.[1] ?? 0)
    // Processes of the previous release keep running while the migration is applied.
    if (minSchema >= version) throw new Error(`the min-schema of migration ${file} must be less than its own number`)
    return { version, name: file.slice(0, -4), sql, digest: createHash('sha256').update(sql).digest('hex'), minSchema }
  })
}

/** Throws SchemaFault. A database that was never migrated lacks all migrations. */
export async function readSchema(client: pg.Client, migrations: readonly Migration[]): Promise<SchemaState> {
  return judgeSchema(await readApplied(client), migrations)
}

async function readApplied(client: pg.Client): Promise<Applied[]> {
  try {
    // Read through JSON, since the table of an earlier release has no column `min_schema`.
    const { rows } = await client.query<Applied>(
      `select version, name, digest, coalesce((to_jsonb(m) ->> 'min_schema')::integer, 0) as min_schema
       from schema_migrations m order by version`,
    )
    return rows
  } catch (error) {
    if (readSqlstate(error) === sqlstate.undefinedTable) return []
    throw error
  }
}

/**
 * A newer schema is accepted if all migrations that this code knows were applied unchanged, and no newer one has removed something that the
 * code uses. Otherwise throws SchemaFault.
 */
function judgeSchema(applied: readonly Applied[], migrations: readonly Migration[]): SchemaState {
  const known = migrations.length
  const done = new Map(applied.map((row) => [row.version, row] as const))
  const barrier = applied.find((row) => row.min_schema > known)
  if (barrier !== undefined)
    throw new SchemaFault(
      `the database has migration ${barrier.name}, which needs a version that knows migration ${barrier.min_schema}, but this version knows only ${known}: run a newer version`,
    )
  const changed = migrations.find(({ version, digest }) => (done.get(version)?.digest ?? digest) !== digest)
  if (changed !== undefined) throw new SchemaFault(`migration ${changed.name} was changed after it had been applied`)
  const missing = migrations.filter(({ version }) => !done.has(version))
  const last = Math.max(0, ...done.keys())
  const hole = missing.find(({ version }) => version < last)
  if (hole !== undefined)
    throw new SchemaFault(
      `the database lacks migration ${hole.name} but has later ones: it is not a Tracewright database`,
    )
  return { missing, newer: applied.filter(({ version }) => version > known).map(({ name }) => name) }
}
