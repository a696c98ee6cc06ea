// Fronts and actors in this process, each with its own state as if in a separate one, on one database and one NATS.
import { randomBytes } from 'node:crypto'
import { readConfig } from '../../src/config.ts'
import { makeLog } from '../../src/telemetry/log.ts'
import { openConnected } from '../_kit/connected.ts'
import { makeDatabase, type TestDatabase } from '../_kit/db.ts'
import { toEnvironment } from '../_kit/environment.ts'
import { startNats, type TestNats } from '../_kit/nats.ts'
import { openRelay, type Relay } from '../_kit/relay.ts'
import type { Ping } from '../_kit/standstill.ts'
import { startAll } from '../_kit/start-all.ts'
import { postOnce, type Reply } from '../ingest/_http.ts'

export type Part = {
  readonly baseUrl: string
  call(method: string, path: string, options?: { readonly token?: string; readonly body?: unknown }): Promise<Called>
  /** Returns the value of a metric, whose name includes its labels; 0 if there is none. */
  metric(name: string): Promise<number>
  stop(): Promise<void>
}

export type Called = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: unknown
}

export type TestCluster = {
  readonly nats: TestNats
  readonly database: TestDatabase
  /** The connection of all parts to the database. */
  readonly way: Relay
  /** Ask the two servers that the parts need, which are other processes. */
  readonly pings: readonly Ping[]
  start(settings: Record<string, string | number>): Promise<Part>
  stop(): Promise<void>
}

export async function openCluster(): Promise<TestCluster> {
  const [database, nats] = await Promise.all([makeDatabase(), startNats()])
  const way = await openRelay(Number(new URL(database.url).port))
  const throughRelay = (url: string): string => Object.assign(new URL(url), { port: way.port }).href
  const urls = new Map(Object.entries(database.urls).map(([role, url]) => [role, throughRelay(url)]))
  const secret = randomBytes(32).toString('base64url')
  const parts: Part[] = []
  const watcher = await openConnected({ address: { url: nats.url }, name: 'watcher', onError: () => undefined })

  async function start(settings: Record<string, string | number>): Promise<Part> {
    const all = {
      PORT: 0,
      METRICS_PORT: 0,
      // Each process looks for quiet traces four times in it.
      SETTLE_QUIET_MS: 400,
      AUTH_RATE_LIMITS: 'off',
      PASSWORD_HASH_MEMORY_MIB: 19,
      LOG_LEVEL: 'silent',
      DECODE_THREADS: 1,
      DRAIN_DELAY_MS: 0,
      // A plan with a quota, so that fronts ask actors.
      DEFAULT_PLAN: 'free',
      DATABASE_URL: urls.get(String(settings['ROLES'])) ?? urls.get('service') ?? '',
      SECRET: secret,
      NATS_URL: nats.url,
      ...settings,
    }
    const config = readConfig(toEnvironment(all))
    const giveUp = (reason: string): never => {
      throw new Error(`a part of the cluster gave up: ${reason}`)
    }
    const running = await startAll(config, makeLog(config.LOG_LEVEL), giveUp)
    const part = describe(running)
    parts.push(part)
    return part
  }

  return {
    nats,
    database,
    way,
    pings: [() => database.query('select'), watcher.flush],
    start,
    async stop() {
      way.set('open')
      await Promise.all(parts.map((part) => part.stop()))
      await watcher.stop()
      await Promise.all([way.stop(), nats.stop()])
      await database.stop()
    },
  }
}

/** PostgreSQL ends a transaction of ingest that is idle for so long. Ingest waits longer for a connection. */
const refusedAfterMs = 1_500

/**
 * Resends as an exporter does if the request was refused because the machine stood still. An earlier refusal has another reason, and is
 * returned.
 */
export async function postAgain(service: Parameters<typeof postOnce>[0], body: Uint8Array): Promise<Reply> {
  for (;;) {
    const sentAtMs = performance.now()
    const reply = await postOnce(service, body)
    if (reply.status !== 503 || performance.now() - sentAtMs < refusedAfterMs) return reply
  }
}

function describe({ port, metricsPort, stop }: Awaited<ReturnType<typeof startAll>>): Part {
  const baseUrl = `http://127.0.0.1:${port}`
  let stopped: Promise<void> | null = null
  return {
    baseUrl,
    async call(method, path, { token, body } = {}) {
      const response = await fetch(baseUrl + path, {
        method,
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      const isJson = (response.headers.get('content-type') ?? '').includes('json') && text !== ''
      const { status, headers } = response
      return { status, headers, text, json: isJson ? (JSON.parse(text) as unknown) : null }
    },
    async metric(name) {
      const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
      const line = text.split('\n').find((one) => one.startsWith(`${name} `))
      return Number(line?.slice(name.length + 1) ?? 0)
    },
    stop() {
      stopped ??= stop()
      return stopped
    },
  }
}
