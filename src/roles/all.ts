// Floor 4. The whole service in one process: front and actor, wired by hand. What is opened last is stopped first.
import { openAccounts } from '../accounts/open.ts'
import { deriveKey } from '../base/seal.ts'
import type { Config } from '../config.ts'
import { makeDecisionRoutes } from '../decisions/routes.ts'
import { makeMeasurementRoutes } from '../decisions/trials/measurement-routes.ts'
import { makeFindingRoutes } from '../findings/routes.ts'
import { makeHealthRoutes } from '../health/routes.ts'
import { openKeys } from '../keys/open.ts'
import { makeObserveRoutes } from '../observe/routes.ts'
import { loadMigrations } from '../store/migrate.ts'
import { makeUsageRoutes } from '../usage/routes.ts'
import type { Log } from '../watch/log.ts'
import { makeMetrics, serveMetrics } from '../watch/metrics.ts'
import { withOpenapi } from '../web/openapi-route.ts'
import { openCursors } from '../web/page.ts'
import { securityHeaders } from '../web/security-headers.ts'
import { type RequestReport, serve } from '../web/server.ts'
import { insertWorkspace } from '../workspaces/create.ts'
import { openWorkspacePurge } from '../workspaces/purge.ts'
import { makeWorkspaceRoutes } from '../workspaces/routes.ts'
import { openActors } from './actors.ts'
import { openApply } from './apply.ts'
import { openDatabases } from './databases.ts'
import { greet } from './greeting.ts'
import { openIngest } from './ingest.ts'
import { openOptimizer } from './optimizer.ts'
import { reportRequest } from './report-request.ts'
import { openPlanRetention } from './retention.ts'
import { openRollups } from './rollups.ts'
import { readSecret } from './secret.ts'
import { makeStopList } from './stop-list.ts'

export type Running = {
  readonly port: number
  readonly metricsPort: number
  /** Not ready first, then no new connections, then what is in flight, then everything behind it. */
  stop(): Promise<void>
}

const audience = 'tracewright'
const maxJsonBodyBytes = 1_048_576
const rulesPollAfterS = 30

/** Serves when it resolves. `onFatal` is told when the process must not go on. Throws where it cannot start; nothing is left running then. */
export async function startAll(config: Config, log: Log, onFatal: (reason: string) => void): Promise<Running> {
  const stops = makeStopList()
  try {
    return await start(config, log, onFatal, stops)
  } catch (error) {
    await stops.run()
    throw error
  }
}

type StopList = ReturnType<typeof makeStopList>

async function start(config: Config, log: Log, onFatal: (reason: string) => void, stops: StopList): Promise<Running> {
  const metrics = makeMetrics()
  const secret = readSecret(config)
  const onError = (error: unknown, doing: string): void => log.warn({ error, doing }, 'background work failed')

  const databases = await openDatabases(config, log, (error) => {
    log.error({ error }, 'the database belongs to another process now, or has ended')
    onFatal('the database lock was lost')
  })
  stops.add(databases.stop)

  const actors = openActors(databases.control, rulesPollAfterS, log, metrics)
  stops.add(actors.stop)
  const { notices } = actors
  const accounts = await openAccounts({
    db: databases.control,
    secret,
    issuer: config.PUBLIC_URL,
    audience,
    insertWorkspace: (tx, workspace) => insertWorkspace(tx, { ...workspace, plan: config.DEFAULT_PLAN }),
    onError,
    ...(config.AUTH_RATE_LIMITS === 'off' ? { limits: unlimited } : {}),
  })
  stops.add(accounts.stop)
  const keys = openKeys({
    db: databases.control,
    publishRevoked: (digestHex) => notices.publishKeyRevoked(Buffer.from(digestHex, 'hex')),
    onError,
  })
  stops.add(keys.stop)
  const purge = openWorkspacePurge({ db: databases.control, onError })
  stops.add(purge.stop)
  const retention = openPlanRetention(config, databases.control, log, metrics)
  stops.add(retention.stop)
  const folding = openRollups(databases.control, log, metrics)
  stops.add(folding.stop)
  const apply = openApply(databases.control, actors, metrics, onError)
  stops.add(apply.stop)
  const ingest = openIngest(config, databases, actors, log, metrics)
  stops.add(ingest.stop)
  stops.add(openOptimizer(config, databases, actors, log, metrics).stop)

  notices.subscribeKeysRevoked((digest) => keys.forget(digest.toString('hex')))
  notices.subscribeChanges((workspaceId, kind) => {
    if (kind === 'plan') ingest.forgetWorkspace(workspaceId)
  })
  notices.subscribeDeletions((workspaceId) => {
    keys.forgetWorkspace(workspaceId)
    accounts.forgetWorkspace(workspaceId)
    ingest.forgetWorkspace(workspaceId)
    purge.wake()
  })

  let draining = false
  const schemaVersion = loadMigrations().length
  const onRequest = (report: RequestReport): void => reportRequest(report, log, metrics)
  const cursors = openCursors(deriveKey(secret, 'cursors'))
  const server = await serve({
    host: config.HOST,
    port: config.PORT,
    trustedProxies: config.TRUSTED_PROXIES,
    maxJsonBodyBytes,
    authenticator: { session: accounts.verifySession, key: keys.verifyKey, role: accounts.readRole },
    onRequest,
    answerHot: apply.makeHot({ peekKey: keys.peekKey, headers: securityHeaders, onRequest }),
    routes: withOpenapi([
      ...makeHealthRoutes({
        checks: {
          database: async () => {
            const schema = await databases.control.row<{ version: number }>('health/read-schema-version')
            return (schema?.version ?? 0) >= schemaVersion
          },
          serving: async () => !draining,
        },
      }),
      ...accounts.routes,
      ...makeWorkspaceRoutes({
        db: databases.control,
        defaultPlan: config.DEFAULT_PLAN,
        publishDeleted: notices.publishDeletion,
        publishSettings: (workspaceId) => notices.publishChange(workspaceId, 'plan'),
        maxTracesBodyBytes: config.INGEST_MAX_BODY_BYTES,
        rulesPollAfterS,
      }),
      ...keys.routes,
      ...ingest.routes,
      ...apply.routes,
      ...makeObserveRoutes({ db: databases.reads, cursors, commits: actors.commits }),
      ...makeUsageRoutes({ db: databases.reads }),
      ...makeDecisionRoutes({
        db: databases.reads,
        control: databases.control,
        publishRules: (workspaceId) => notices.publishChange(workspaceId, 'rules'),
      }),
      ...makeMeasurementRoutes({ db: databases.reads, cursors }),
      ...makeFindingRoutes({ db: databases.reads, control: databases.control, cursors }),
    ]),
  })
  stops.add(() => server.stop(config.DRAIN_MS))
  const metricsServer = await serveMetrics(metrics.registry, config.HOST, config.METRICS_PORT)
  stops.add(metricsServer.stop)

  log.info({ host: config.HOST, port: server.port, metricsPort: metricsServer.port }, 'listening')
  if (config.DATABASE_URL === undefined)
    process.stderr.write(greet(`http://localhost:${server.port}`, metricsServer.port))
  return {
    port: server.port,
    metricsPort: metricsServer.port,
    async stop() {
      draining = true
      await stops.run()
    },
  }
}

const without = { points: Number.MAX_SAFE_INTEGER, windowS: 1 }
const unlimited = {
  loginByAccountAndIp: without,
  loginByAccount: without,
  loginByIp: without,
  refreshByIp: without,
  signupByIp: without,
}
