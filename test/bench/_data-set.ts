// Makes a large data set, or reuses an existing one: schema, people and payloads by the service, rows by COPY, then indexes, then vacuum,
// so that a read finds the tables as they are after months of service.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import pg from 'pg'
import { migrate } from '../../src/store/migrate.ts'
import type { LoadShare } from './_data-load.ts'
import { countUp, insertWorkspaces, makePeople, type People } from './_data-people.ts'
import { rebuildRollups } from './_data-rollups.ts'
import { type Engine, folderOf, startDataServer } from './_data-server.ts'
import { type Layout, layOut, type Size } from './_data-shape.ts'

export type DataSet = People & {
  readonly engine: Engine
  readonly size: Size
  readonly layout: Layout
  /** Seconds that each step took. */
  readonly seconds: Readonly<Record<string, number>>
  readonly bytes: number
}

// Increase this number when the content of a set changes.
const form = 3
const loaders = 2

/** Returns the complete set of this engine and size, or null. */
export function findDataSet(engine: Engine, size: Size): DataSet | null {
  const file = join(folderOf(engine, size), 'set.json')
  if (!existsSync(file)) return null
  const { form: found, ...set } = JSON.parse(readFileSync(file, 'utf8')) as DataSet & { form: number }
  return found === form ? set : null
}

/** Makes the set from scratch and reports each step; takes minutes for millions of rows. */
export async function makeDataSet(engine: Engine, size: Size, tell: (line: string) => void): Promise<DataSet> {
  const folder = folderOf(engine, size)
  rmSync(folder, { recursive: true, force: true })
  const layout = layOut(size)
  const seconds: Record<string, number> = {}
  const server = await startDataServer(engine, size, 'loading')
  const client = new pg.Client({ connectionString: server.url })
  try {
    const step = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
      const startedAtMs = performance.now()
      const result = await work()
      seconds[name] = Math.round((performance.now() - startedAtMs) / 100) / 10
      tell(`${name}: ${seconds[name]} s`)
      return result
    }
    await client.connect()
    await migrate(server.url)
    const { people, bodies, spansInBlock } = await step('people and payloads', async () => {
      const made = await makePeople(server.url, client)
      await insertWorkspaces(client)
      return made
    })
    const restore = await dropIndexes(client)
    await step('rows', async () => {
      const share = { url: server.url, layout, shares: loaders, bodies, spansInBlock }
      await Promise.all(Array.from({ length: loaders }, async (_, at) => await load({ ...share, share: at })))
    })
    await step('indexes', async () => {
      await client.query(`set max_parallel_maintenance_workers = ${loaders}`)
      for (const statement of restore) await client.query(statement)
    })
    await step('vacuum', async () => {
      await Promise.all([vacuum(server.url, 'events'), vacuum(server.url, 'traces, payload_blocks')])
    })
    await step('agents and usage', async () => await countUp(client, layout))
    await step('rollups', async () => await rebuildRollups(server.url, people.workspaceId, client))
    await client.query('vacuum (analyze)')
    await client.query('checkpoint')
    const { rows } = await client.query<{ bytes: string }>('select pg_database_size(current_database()) as bytes')
    const set: DataSet = { engine, size, layout, ...people, seconds, bytes: Number(rows[0]?.bytes) }
    // Written last, so that an interrupted set is not taken for a complete one.
    writeFileSync(join(folder, 'set.json'), JSON.stringify({ form, ...set }, null, 1))
    return set
  } finally {
    await client.end()
    await server.stop()
  }
}

const loadedTables = ['events', 'traces', 'payload_blocks']

/** Drops the indexes of the loaded tables. Returns the statements that create them again. */
async function dropIndexes(client: pg.Client): Promise<string[]> {
  const { rows: keys } = await client.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'p' and conrelid = any ($1::regclass[])`,
    [loadedTables],
  )
  for (const { table, name } of keys) await client.query(`alter table ${table} drop constraint ${name}`)
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
     from pg_index where indrelid = any ($1::regclass[])`,
    [loadedTables],
  )
  for (const { name } of indexes) await client.query(`drop index ${name}`)
  return [
    ...keys.map(({ table, name, definition }) => `alter table ${table} add constraint ${name} ${definition}`),
    ...indexes.map(({ definition }) => definition),
  ]
}

async function load(share: LoadShare): Promise<void> {
  const worker = new Worker(new URL('./_data-load.ts', import.meta.url), { workerData: share })
  await new Promise<void>((done, fail) => {
    worker.once('error', fail)
    worker.once('exit', (code) => (code === 0 ? done() : fail(new Error(`a loader ended with ${code}`))))
  })
}

/** Freezes the rows, so that no later vacuum rewrites them during a measurement. */
async function vacuum(url: string, tables: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`vacuum (freeze, analyze) ${tables}`)
  await client.end()
}
