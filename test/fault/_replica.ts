// A PostgreSQL with a streaming replica, which takes over without what was committed last.
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/store/embedded.ts'
import { migrate } from '../../src/store/migrate.ts'
import { openRelay } from '../_kit/relay.ts'
import { until } from '../_kit/until.ts'
import type { SceneDatabase } from './_database.ts'

export type ReplicatedDatabase = SceneDatabase & {
  /** What is committed after this is lost when the replica takes over. */
  loseTail(): Promise<void>
  /** Kills the primary and promotes the replica, which then has the same address. */
  failOver(): Promise<void>
}

const settings = ['wal_level=replica', 'shared_buffers=32MB', 'fsync=off', 'max_connections=40']

const start = async (dataDir: string, more: readonly string[] = []): Promise<EmbeddedPostgres> =>
  await startEmbeddedPostgres({ dataDir, settings: [...settings, ...more], onLine: () => undefined })

const portOf = (server: EmbeddedPostgres): number => Number(new URL(server.url('postgres')).port)

/** With all migrations, and nothing that the replica has not received. */
export async function openReplicatedDatabase(): Promise<ReplicatedDatabase> {
  const cache = fileURLToPath(new URL('../../.cache/', import.meta.url))
  mkdirSync(cache, { recursive: true, mode: 0o755 })
  const folder = mkdtempSync(join(cache, 'replicated-'))
  chmodSync(folder, 0o755)
  const [first, second] = [join(folder, 'primary'), join(folder, 'replica')]

  const seed = await start(first)
  await migrate(seed.url('postgres'))
  await seed.stop()
  // Copied while it is stopped, since the packaged binaries lack pg_basebackup; owners stay, as PostgreSQL wants.
  spawnSync('cp', ['-a', first, second])
  writeFileSync(join(second, 'postgres', 'standby.signal'), '')

  const primary = await start(first)
  const stream = await openRelay(portOf(primary))
  const { username, password } = new URL(primary.url('postgres'))
  const source = `primary_conninfo=host=127.0.0.1 port=${stream.port} user=${username} password=${password}`
  const replica = await start(second, [source])
  const way = await openRelay(portOf(primary))
  const address = new URL(primary.url('postgres'))
  address.port = String(way.port)
  const pool = new pg.Pool({ connectionString: address.href, max: 2 })
  const replicaPool = new pg.Pool({ connectionString: replica.url('postgres'), max: 1 })
  for (const one of [pool, replicaPool]) one.on('error', () => undefined)

  async function hasReceivedAll(): Promise<boolean> {
    const now = await pool.query<{ lsn: string }>('select pg_current_wal_lsn()::text as lsn')
    const reached = 'select pg_last_wal_replay_lsn() >= $1::pg_lsn as reached'
    return (await replicaPool.query<{ reached: boolean }>(reached, [now.rows[0]?.lsn])).rows[0]?.reached === true
  }
  await until(hasReceivedAll)

  return {
    url: address.href,
    query: async <Row extends object>(text: string, values: unknown[] = []) =>
      (await pool.query<Row>(text, values)).rows,
    async loseTail() {
      await until(hasReceivedAll)
      stream.set('cut')
    },
    async failOver() {
      way.set('cut')
      process.kill(primary.pid, 'SIGKILL')
      await primary.ended
      await replicaPool.query('select pg_promote()')
      way.aim(portOf(replica))
      way.set('open')
      // Connections of before are found broken first.
      await until(async () => (await pool.query('select').catch(() => null)) !== null)
    },
    async stop() {
      await Promise.all([pool.end(), replicaPool.end()])
      await Promise.all([primary.stop(), replica.stop()])
      await Promise.all([stream.stop(), way.stop()])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
