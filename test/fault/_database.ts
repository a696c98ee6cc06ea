// The database of a cluster under test: a copy on the test command's server, or its own server that can be killed.
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { sendSignal } from '../../src/base/send-signal.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/store/embedded/server.ts'
import { migrate } from '../../src/store/migrate.ts'
import { memoryInFolder } from '../_kit/data-dir.ts'
import { makeDatabase } from '../_kit/db.ts'
import { copyMigratedCluster } from '../_kit/prepared-clusters.ts'
import { openRelay } from '../_kit/relay.ts'

export type Query = <Row extends object>(text: string, values?: unknown[]) => Promise<Row[]>

export type SceneDatabase = {
  readonly url: string
  readonly query: Query
  stop(): Promise<void>
}

export type MortalDatabase = SceneDatabase & {
  /** kill -9 of the postmaster, as after a power cut; resolves when no connection is possible any more. */
  kill(): Promise<void>
  /** Recovers, and listens again at the same address. */
  revive(): Promise<void>
  isRunning(): boolean
  /** SIGSTOP of all of its processes: every connection stays open and does not answer. */
  freeze(): void
  thaw(): void
  /** Breaks every connection, whatever is in progress on it; new connections succeed. */
  cut(): void
  /** Delays every query by this time. */
  slow(ms: number): void
  /** The folder with all of its data. */
  readonly folder: string
}

/** Uses the server of `npm test` if there is one, otherwise starts its own server. */
export async function openSceneDatabase(): Promise<SceneDatabase> {
  return process.env['TEST_DATABASE_URL'] === undefined ? await openMortalDatabase() : await makeDatabase()
}

const killDeadlineMs = 10_000

/**
 * Starts a server with the settings of production, so that all acknowledged data is on the disk. `prepare` gets its folder first, and
 * `clear` last.
 */
export async function openMortalDatabase(
  prepare: (folder: string) => void = () => undefined,
  clear: (folder: string) => void = () => undefined,
): Promise<MortalDatabase> {
  const cache = fileURLToPath(new URL('../../.cache/', import.meta.url))
  mkdirSync(cache, { recursive: true, mode: 0o755 })
  const folder = mkdtempSync(join(cache, 'mortal-'))
  prepare(folder)
  chmodSync(folder, 0o755)
  const start = async (): Promise<EmbeddedPostgres> =>
    await startEmbeddedPostgres({
      dataDir: join(folder, 'data'),
      settings: ['max_connections=200', memoryInFolder],
      onLine: () => undefined,
    })
  await copyMigratedCluster(join(folder, 'data'))
  let server = await start()
  const portOf = (one: EmbeddedPostgres): number => Number(new URL(one.url('postgres')).port)
  const relay = await openRelay(portOf(server))
  const address = new URL(server.url('postgres'))
  address.port = String(relay.port)
  await migrate(address.href)
  const pool = new pg.Pool({ connectionString: address.href, max: 2 })
  pool.on('error', () => undefined)
  return {
    url: address.href,
    query: async <Row extends object>(text: string, values: unknown[] = []) =>
      (await pool.query<Row>(text, values)).rows,
    async kill() {
      process.kill(server.pid, 'SIGKILL')
      const untilMs = performance.now() + killDeadlineMs
      while (server.isRunning() && performance.now() < untilMs) await new Promise((done) => setTimeout(done, 5))
      relay.set('cut')
    },
    async revive() {
      // The processes of the dead server hold its memory for a moment.
      for (let attempt = 1; ; attempt += 1) {
        try {
          server = await start()
          break
        } catch (error) {
          if (attempt === 200) throw error
          await new Promise((done) => setTimeout(done, 100))
        }
      }
      relay.aim(portOf(server))
      relay.set('open')
    },
    freeze: () => signalAll(server.pid, 'SIGSTOP'),
    thaw: () => signalAll(server.pid, 'SIGCONT'),
    folder,
    isRunning: () => server.isRunning(),
    slow: relay.delay,
    cut() {
      relay.set('cut')
      relay.set('open')
    },
    async stop() {
      // A stopped process receives no other signal.
      if (server.isRunning()) signalAll(server.pid, 'SIGCONT')
      await pool.end().catch(() => undefined)
      await server.stop()
      await relay.stop()
      clear(folder)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Signals the postmaster first, so that it starts no further processes. */
function signalAll(postmaster: number, signal: 'SIGSTOP' | 'SIGCONT'): void {
  process.kill(postmaster, signal)
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
  const pairs = stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number))
  const children = pairs.filter(([, parent]) => parent === postmaster)
  if (children.length === 0) throw new Error('PostgreSQL has no processes')
  for (const [pid] of children) if (pid !== undefined) sendSignal(pid, signal)
}
