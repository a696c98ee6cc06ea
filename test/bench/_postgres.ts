// A PostgreSQL for benches with durable settings, removed when the bench ends: the embedded one, or TimescaleDB.
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { startEmbeddedPostgres } from '../../src/store/embedded/server.ts'
import { migrate } from '../../src/store/migrate.ts'
import { startTimescale } from '../_kit/timescale.ts'
import { parentOf } from './_cpu.ts'

export type BenchPostgres = {
  readonly url: string
  readonly pid: number
  readonly version: string
  /** Whether events are stored in chunks of TimescaleDB. */
  readonly chunked: boolean
  query<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>
  stop(): Promise<void>
}

type Server = { readonly url: string; stop(): Promise<void> }

const root = fileURLToPath(new URL('../../', import.meta.url))

// The settings of the embedded server.
const timescaleSettings = ['max_connections=100', 'shared_buffers=256MB', 'max_wal_size=4GB']

/** Resolves when the database is migrated and ready. fsync, full-page writes and synchronous commit are on, as in production. */
export async function startBenchPostgres(kind: 'plain' | 'timescale' = 'plain'): Promise<BenchPostgres> {
  const server = kind === 'plain' ? await startPlain() : await startChunked()
  const pool = new pg.Pool({ connectionString: server.url, max: 2 })
  // A broken connection is reported by the query that needs it; otherwise it no longer matters.
  pool.on('error', () => undefined)
  const query = async <Row extends object>(text: string, values: unknown[] = []) =>
    (await pool.query<Row>(text, values)).rows
  const stop = async (): Promise<void> => {
    await pool.end()
    await server.stop()
  }
  try {
    await migrate(server.url)
    return { url: server.url, query, stop, ...(await readFacts(query)) }
  } catch (error) {
    await stop()
    throw error
  }
}

async function startPlain(): Promise<Server> {
  const cache = join(root, '.cache')
  mkdirSync(cache, { recursive: true, mode: 0o755 })
  const folder = mkdtempSync(join(cache, 'bench-'))
  chmodSync(folder, 0o755)
  const server = await startEmbeddedPostgres({ dataDir: join(folder, 'data'), onLine: () => undefined })
  return {
    url: server.url('postgres'),
    async stop() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Creates its own database, since the server may be an existing one. */
async function startChunked(): Promise<Server> {
  const server = await startTimescale(timescaleSettings)
  const name = `bench_${randomBytes(6).toString('hex')}`
  await runOnce(server.url, `create database ${name}`)
  const url = new URL(server.url)
  url.pathname = `/${name}`
  return {
    url: url.href,
    async stop() {
      await runOnce(server.url, `drop database ${name} with (force)`)
      await server.stop()
    },
  }
}

async function runOnce(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Throws if the server could lose committed data. */
async function readFacts(query: BenchPostgres['query']): Promise<Pick<BenchPostgres, 'pid' | 'version' | 'chunked'>> {
  const [row] = await query<{ durable: boolean; version: string; backend: number; chunked: boolean }>(
    `select (select bool_and(setting = 'on') from pg_settings
        where name in ('fsync', 'synchronous_commit', 'full_page_writes')) as durable,
      current_setting('server_version') || coalesce(
        (select ' with TimescaleDB ' || extversion from pg_extension where extname = 'timescaledb'), '') as version,
      pg_backend_pid() as backend,
      exists (select from list_chunked_tables()) as chunked`,
  )
  if (row?.durable !== true) throw new Error('the PostgreSQL of the bench is not durable')
  return { pid: parentOf(row.backend) ?? 0, version: row.version, chunked: row.chunked }
}
