// A PostgreSQL with a streaming replica that takes over without the last commits.
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/store/embedded/server.ts'
import { migrate } from '../../src/store/migrate.ts'
import { makeCacheFolder, memoryInFolder } from '../_kit/data-dir.ts'
import { copyMigratedCluster } from '../_kit/prepared-clusters.ts'
import { openRelay, type Relay } from '../_kit/relay.ts'
import { until } from '../_kit/until.ts'
import type { SceneDatabase } from './_database.ts'

export type ReplicatedDatabase = SceneDatabase & {
  /** Adds a replica where there is none, as after a failover. */
  replicate(): Promise<void>
  /** All later commits are lost when the replica takes over. */
  loseTail(): Promise<void>
  /** Kills the primary and promotes the replica, which then has the same address. */
  failOver(): Promise<void>
}

// WAL that is written while a replica is copied is kept for it.
const settings = [
  'wal_level=replica',
  'wal_keep_size=256MB',
  'shared_buffers=32MB',
  'fsync=off',
  'max_connections=100',
  'autovacuum=off',
  memoryInFolder,
]

type Server = { readonly folder: string; readonly postgres: EmbeddedPostgres }

/** A replica that receives its stream through `stream`. */
type Replica = Server & { readonly stream: Relay }

async function start(folder: string, more: readonly string[] = []): Promise<Server> {
  const options = { dataDir: folder, settings: [...settings, ...more], onLine: () => undefined }
  return { folder, postgres: await startEmbeddedPostgres(options) }
}

const portOf = ({ postgres }: Server): number => Number(new URL(postgres.url('postgres')).port)

/** Starts the database with all migrations and a replica. */
export async function openReplicatedDatabase(): Promise<ReplicatedDatabase> {
  const folder = mkdtempSync(join(makeCacheFolder(), 'replicated-'))
  chmodSync(folder, 0o755)
  let servers = 1
  const first = join(folder, 'server-1')
  await copyMigratedCluster(first)
  let primary = await start(first)
  await migrate(primary.postgres.url('postgres'))
  const way = await openRelay(portOf(primary))
  const address = new URL(primary.postgres.url('postgres'))
  address.port = String(way.port)
  const pool = new pg.Pool({ connectionString: address.href, max: 2 })
  pool.on('error', () => undefined)
  let replica: Replica | null = null

  function attached(): Replica {
    if (replica === null) throw new Error('there is no replica')
    return replica
  }

  async function hasReceivedAll(): Promise<boolean> {
    const now = await pool.query<{ lsn: string }>('select pg_current_wal_lsn()::text as lsn')
    const reached = 'select pg_last_wal_replay_lsn() >= $1::pg_lsn as reached'
    const [row] = await askAlone<{ reached: boolean }>(attached(), reached, [now.rows[0]?.lsn])
    return row?.reached === true
  }

  const database: ReplicatedDatabase = {
    url: address.href,
    query: async <Row extends object>(text: string, values: unknown[] = []) =>
      (await pool.query<Row>(text, values)).rows,
    async replicate() {
      if (replica !== null) return
      servers += 1
      replica = await copy(primary, join(folder, `server-${servers}`))
    },
    async loseTail() {
      await until(hasReceivedAll)
      attached().stream.set('cut')
    },
    async failOver() {
      const next = attached()
      way.set('cut')
      process.kill(primary.postgres.pid, 'SIGKILL')
      await primary.postgres.ended
      await askAlone(next, 'select pg_promote()')
      way.aim(portOf(next))
      way.set('open')
      await next.stream.stop()
      rmSync(primary.folder, { recursive: true, force: true })
      primary = next
      replica = null
      // Replaces connections to the previous server, which are broken.
      await until(async () => (await pool.query('select').catch(() => null)) !== null)
    },
    async stop() {
      await pool.end()
      await Promise.all([primary.postgres.stop(), replica?.postgres.stop()])
      await Promise.all([replica?.stream.stop(), way.stop()])
      rmSync(folder, { recursive: true, force: true })
    },
  }
  try {
    await database.replicate()
  } catch (error) {
    await database.stop()
    throw error
  }
  return database
}

/** Runs a query over a separate connection. */
async function askAlone<Row extends object>(server: Server, text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({ connectionString: server.postgres.url('postgres') })
  await client.connect()
  try {
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.end()
  }
}

/** Copies the primary while it runs: the packaged binaries lack pg_basebackup. Files keep their owners, as PostgreSQL requires. */
async function copy(primary: Server, folder: string): Promise<Replica> {
  const client = new pg.Client({ connectionString: primary.postgres.url('postgres') })
  await client.connect()
  const data = join(folder, 'postgres')
  try {
    await client.query(`select pg_backup_start('replica', true)`)
    // A file that is removed during the copy does not matter.
    spawnSync('cp', ['-a', primary.folder, folder])
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
    const { uid, gid } = statSync(data)
    const label = join(data, 'backup_label')
    writeFileSync(label, rows[0]?.labelfile ?? '')
    chownSync(label, uid, gid)
  } finally {
    await client.end()
  }
  for (const name of ['postmaster.pid', 'postmaster.opts']) rmSync(join(data, name), { force: true })
  for (const name of readdirSync(join(data, 'pg_wal')))
    if (/^[0-9A-F]{24}$/.test(name)) rmSync(join(data, 'pg_wal', name))
  writeFileSync(join(data, 'standby.signal'), '')
  const stream = await openRelay(portOf(primary))
  const { username, password } = new URL(primary.postgres.url('postgres'))
  const source = `primary_conninfo=host=127.0.0.1 port=${stream.port} user=${username} password=${password}`
  return { ...(await start(folder, [source])), stream }
}
