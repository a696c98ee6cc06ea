// The database fails under load repeatedly: the service answers 503, recovers by itself, and loses nothing.
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import pg from 'pg'
import { startEmbeddedPostgres } from '../../src/store/embedded/server.ts'
import { isTransient } from '../../src/store/sqlstate.ts'
import { startProcess } from '../_kit/service-process.ts'
import { signUp } from '../_kit/sign-up.ts'
import { inSoak } from '../_kit/soak.ts'
import { until } from '../_kit/until.ts'
import { count, listDifferences } from '../ingest/_http.ts'
import { openExporter } from './_exporter.ts'

/** Opens a connection for each call, since the server ends all sessions now and then; tries again if the server was just doing so. */
async function ask<Row extends object>(url: string, text: string, values: unknown[] = []): Promise<Row[]> {
  for (let attempt = 1; ; attempt += 1) {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => undefined)
    try {
      await client.connect()
      return (await client.query<Row>(text, values)).rows
    } catch (error) {
      if (!isTransient(error) || attempt === 100) throw error
      await sleep(100)
    } finally {
      await client.end().catch(() => undefined)
    }
  }
}

/** Both faults in turn. */
const rounds = inSoak(2, 4)

const ours = `datname = current_database() and application_name like 'tracewright-%'`

test('sessions that are ended and a server that crashes cost retries and nothing else; SIGTERM under load ends in order', async (t) => {
  t.timeout(300_000)
  const cache = fileURLToPath(new URL('../../.cache/', import.meta.url))
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'away-'))
  chmodSync(folder, 0o755)
  const server = await startEmbeddedPostgres({ dataDir: join(folder, 'data'), onLine: () => undefined })
  let endService = async (): Promise<unknown> => await Promise.resolve()
  try {
    const url = server.url('postgres')
    const service = await startProcess({
      DATABASE_URL: url,
      SECRET: randomBytes(32).toString('base64url'),
      SETTLE_QUIET_MS: 20,
      DECODE_THREADS: 1,
      LOG_LEVEL: 'silent',
    })
    endService = async () => await service.end('SIGKILL')
    const { key, workspaceId } = await signUp(service.baseUrl)
    const exporter = openExporter(key)
    const isReady = async (): Promise<boolean> => (await fetch(`${service.baseUrl}/v1/health/ready`)).ok

    for (let round = 1; round <= rounds; round += 1) {
      const before = exporter.acknowledged.size
      exporter.send(service.baseUrl, 6)
      await until(async () => exporter.acknowledged.size > before)
      if (round % 2 === 0) {
        const [backend] = await ask<{ pid: number }>(
          url,
          `select pid from pg_stat_activity where ${ours} and application_name = 'tracewright-ingest' limit 1`,
        )
        // When a backend dies, the server ends all sessions and recovers, as after a power cut.
        if (backend !== undefined) process.kill(backend.pid, 'SIGKILL')
      } else {
        await ask(url, `select pg_terminate_backend(pid) from pg_stat_activity where ${ours}`)
      }
      await exporter.pause()
      await until(isReady)
    }
    await exporter.drain(service.baseUrl)

    exporter.send(service.baseUrl, 6)
    const before = exporter.acknowledged.size
    await until(async () => exporter.acknowledged.size > before)
    // A service that cannot stop in order ends itself with another exit code.
    t.is(await service.end('SIGTERM'), 0)
    await exporter.pause()

    t.deepEqual(exporter.oddities, [])
    t.true(exporter.retries() > 0)
    const query = async <Row extends object>(text: string, values?: unknown[]): Promise<Row[]> =>
      await ask<Row>(url, text, values)
    t.deepEqual(listDifferences(await count(query, workspaceId)), [])
    const rows = await query<{ id: string }>(`select encode(span_id, 'hex') as id from events`)
    const stored = new Set(rows.map(({ id }) => id))
    t.is(rows.length, stored.size)
    t.is([...exporter.acknowledged].filter((id) => !stored.has(id)).length, 0)
    t.log(
      `${exporter.acknowledged.size} spans acknowledged, ${rows.length} stored, ${exporter.retries()} batches retried`,
    )
  } finally {
    await endService()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})
