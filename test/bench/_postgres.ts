// A PostgreSQL for benches: the embedded one with its own, durable settings, in a folder that goes away with it.
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { startEmbeddedPostgres } from '../../src/store/embedded.ts'
import { migrate } from '../../src/store/migrate.ts'

export type BenchPostgres = {
  readonly url: string
  readonly pid: number
  readonly version: string
  query<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>
  stop(): Promise<void>
}

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Migrated and ready. fsync, full-page writes and synchronous commit are on, as in production. */
export async function startBenchPostgres(): Promise<BenchPostgres> {
  const cache = join(root, '.cache')
  mkdirSync(cache, { recursive: true, mode: 0o755 })
  const folder = mkdtempSync(join(cache, 'bench-'))
  chmodSync(folder, 0o755)
  const server = await startEmbeddedPostgres({ dataDir: join(folder, 'data'), onLine: () => undefined })
  const url = server.url('postgres')
  await migrate(url)
  const pool = new pg.Pool({ connectionString: url, max: 2 })
  const query = async <Row extends object>(text: string, values: unknown[] = []) =>
    (await pool.query<Row>(text, values)).rows
  const durable = await query<{ name: string; setting: string }>(
    `select name, setting from pg_settings where name in ('fsync', 'synchronous_commit', 'full_page_writes')`,
  )
  if (durable.some(({ setting }) => setting !== 'on')) throw new Error('the PostgreSQL of the bench is not durable')
  const [version] = await query<{ server_version: string }>('show server_version')
  return {
    url,
    pid: server.pid,
    version: version?.server_version ?? 'unknown',
    query,
    async stop() {
      await pool.end()
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
