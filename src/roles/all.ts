// Starts a process that serves as front, actor or both, and wires its parts by hand. The part that is opened last is stopped first.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { type Check, makeHealthRoutes } from '../health/routes.ts'
import { openDatabaseClock } from '../store/database-clock.ts'
import { loadMigrations } from '../store/schema.ts'
import type { Log } from '../telemetry/log.ts'
import { makeMetrics, serveMetrics } from '../telemetry/metrics.ts'
import { observeProcess } from '../telemetry/process.ts'
import { writeError } from '../telemetry/standard-output.ts'
import { rejectAll } from '../web/authenticate.ts'
import { connectionLimits } from '../web/connections.ts'
import { withOpenapi } from '../web/openapi-route.ts'
import { securityHeaders } from '../web/security-headers.ts'
import { type RequestReport, serve } from '../web/server.ts'
import type { ActorRole } from './actor.ts'
import type { AppContext } from './app-context.ts'
import { awaitSchema } from './await-schema.ts'
import { type OpenNetwork, openBus } from './bus.ts'
import { openDatabases } from './databases.ts'
import type { FrontRole } from './front.ts'
import { greet } from './greeting.ts'
import { observeDatabases, observeReadiness } from './observe-parts.ts'
import { reportRequest } from './report-request.ts'
import { openStatus } from './status.ts'
import { makeStopList } from './stop-list.ts'

export type Running = {
  readonly port: number
  readonly metricsPort: number
  /** Reports not ready first, then accepts no new connections, finishes requests in flight, and then stops all other parts. */
  stop(): Promise<void>
}

export type StartOptions = {
  /** Called when the code is loaded and nothing is opened yet. */
  readonly onLoaded?: () => void
  readonly signal?: AbortSignal
}

// The longest of these bodies, a decision with escaped characters in its config, takes less. 1 MiB of nested brackets or empty objects takes
// a fifth of a second to parse.
const maxJsonBodyBytes = 131_072
const clusteredDrainDelayMs = 5_000
/**
 * A quarter of all connections, so that no single address can use all of them, and the agents of a company behind one address have enough.
 */
const usualConnectionsPerAddress = 2_500

/**
 * Serves when it resolves. Calls `onFatal` when the process must not continue. Throws if it cannot start, and the reason of the signal if
 * that aborts while a process of a cluster waits for its schema; nothing is left running then.
 */
export async function startAll(
  config: Config,
  log: Log,
  onFatal: (reason: string) => void,
  { onLoaded, signal }: StartOptions = {},
): Promise<Running> {
  // Loaded before anything is opened: otherwise deadlines of open parts would pass while the code loads.
  const code = await loadCode(config)
  onLoaded?.()
  const stops = makeStopList()
  try {
    if (config.NATS_URL !== undefined) await awaitSchema(config, log, signal === undefined ? {} : { signal })
    return await start(code, config, log, onFatal, stops)
  } catch (error) {
    await stops.run()
    throw error
  }
}

/** How long a front continues to serve after the signal to stop. */
export const readDrainDelayMs = (config: Config): number => {
  const isBalanced = config.NATS_URL !== undefined && config.ROLES !== 'actor'
  return config.DRAIN_DELAY_MS ?? (isBalanced ? clusteredDrainDelayMs : 0)
}

type Code = {
  readonly openFront: ((app: AppContext) => Promise<FrontRole>) | null
  readonly openActor: ((app: AppContext) => Promise<ActorRole>) | null
  readonly openNetwork: OpenNetwork
}

/** Loads only the code that this process needs: loading takes most of the CPU time of a start. */
const loadCode = async ({ ROLES: roles, NATS_URL: nats }: Config): Promise<Code> => ({
  openFront: roles === 'actor' ? null : (await import('./front.ts')).openFront,
  openActor: roles === 'front' ? null : (await import('./actor.ts')).openActor,
  openNetwork: nats === undefined ? null : (await import('../bus/nats.ts')).openNatsTransport,
})

type StopList = ReturnType<typeof makeStopList>

async function start(
  code: Code,
  config: Config,
  log: Log,
  onFatal: (reason: string) => void,
  stops: StopList,
): Promise<Running> {
  const metrics = makeMetrics()
  const onLost = (error: Error, what: string): void => {
    log.error({ error }, what)
    onFatal(what)
  }
  const databases = await openDatabases(config, log, onLost, (pool) => metrics.connectionsBroken.inc({ pool }))
  stops.add(databases.stop)
  observeProcess(metrics, config.ROLES)
  observeDatabases(metrics, databases)
  const bus = await openBus(config, log, metrics, code.openNetwork)
  stops.add(bus.stop)
  const onError = (error: unknown, doing: string): void => {
    metrics.backgroundFailures.inc({ doing })
    log.warn({ error, doing }, 'background work failed')
  }
  const clock = await openDatabaseClock({
    db: databases.cluster,
    onDrift: (aheadMs, isWrong) => {
      const aheadS = Math.round(aheadMs / 100) / 10
      if (isWrong)
        log.warn(
          { aheadS },
          'the clock of this machine differs from that of PostgreSQL: check the time synchronization of both. Expiry follows the clock of PostgreSQL',
        )
      else log.info({ aheadS }, 'the clock of this machine agrees with that of PostgreSQL again')
    },
    onError: (error) => onError(error, 'reading the clock of PostgreSQL'),
  })
  stops.add(clock.stop)
  metrics.watch(
    'tracewright_clock_ahead_seconds',
    'By how much the clock of this machine is ahead of that of PostgreSQL; negative if it is behind',
    () => clock.aheadMs() / 1_000,
  )
  const app: AppContext = { config, log, metrics, databases, bus, clock, onError }

  // The front is opened first, so that it receives all announcements of owners.
  const front = code.openFront === null ? null : await code.openFront(app)
  if (front !== null) stops.add(front.stop)
  const actor = code.openActor === null ? null : await code.openActor(app)
  if (actor !== null) stops.add(actor.stop)

  let isDraining = false
  const checks = { ...listChecks(app, front, actor), serving: () => Promise.resolve(!isDraining) }
  observeReadiness(metrics, checks)
  const server = await openServer(app, front, checks)
  stops.add(() => server.stop(config.DRAIN_MS))
  const metricsServer = await serveMetrics({
    registry: metrics.registry,
    host: config.HOST,
    port: config.METRICS_PORT,
    readStatus: openStatus(app, front, actor),
  })
  stops.add(metricsServer.stop)

  const addresses = { host: config.HOST, port: server.port, metricsPort: metricsServer.port }
  log.info(bus.isClustered ? { ...addresses, roles: config.ROLES, member: bus.member } : addresses, 'listening')
  if (config.DATABASE_URL === undefined) {
    const baseUrl = `http://localhost:${server.port}`
    writeError(greet({ baseUrl, metricsPort: metricsServer.port, hasPage: front?.findPage !== undefined }))
  }
  return {
    port: server.port,
    metricsPort: metricsServer.port,
    async stop() {
      isDraining = true
      databases.expectEnd()
      await sleep(readDrainDelayMs(config))
      await stops.run()
    },
  }
}

/**
 * A front of a cluster is ready as long as it serves: it works without a missing part or answers 503, and an outage that all fronts share
 * must not leave load balancers without any front.
 */
function listChecks(
  { bus, databases }: AppContext,
  front: FrontRole | null,
  actor: ActorRole | null,
): Record<string, Check> {
  if (front === null) return { ...actor?.checks }
  if (bus.isClustered) return {}
  const schemaVersion = loadMigrations().length
  return {
    database: async () => {
      // Open connections may still work while the server refuses new ones.
      if (!databases.isAccepting()) return false
      const schema = await databases.control.row<{ version: number }>('health/read-schema-version')
      return (schema?.version ?? 0) >= schemaVersion
    },
  }
}

/** Behind a trusted proxy all connections come from the proxy, so there is no default limit. */
const readConnectionsPerAddress = (config: Config): number | undefined =>
  config.CONNECTIONS_PER_ADDRESS ?? (config.TRUSTED_PROXIES > 0 ? undefined : usualConnectionsPerAddress)

/** An actor answers only health probes. */
async function openServer(
  { config, log, metrics }: AppContext,
  front: FrontRole | null,
  checks: Record<string, Check>,
) {
  const onRequest = (report: RequestReport): void => reportRequest(report, log, metrics)
  // Initialised to 0, so that the first occurrence shows as an increase.
  for (const limit of connectionLimits) metrics.connectionsEnded.inc({ limit }, 0)
  return await serve({
    host: config.HOST,
    port: config.PORT,
    trustedProxies: config.TRUSTED_PROXIES,
    maxJsonBodyBytes,
    authenticator: front?.authenticator ?? rejectAll,
    onRequest,
    connectionsPerAddress: readConnectionsPerAddress(config),
    onConnectionEnded: (limit) => metrics.connectionsEnded.inc({ limit }),
    ...(front === null ? {} : { fastPath: front.makeFastPath({ headers: securityHeaders, onRequest }) }),
    findPage: front?.findPage,
    corsOrigins: config.CORS_ORIGINS,
    routes: withOpenapi([...makeHealthRoutes({ checks }), ...(front?.routes ?? [])]),
  })
}
