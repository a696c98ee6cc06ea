// A process of a cluster before its schema is complete: it is live, is not ready, and waits for the role `migrate`.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { makeHealthRoutes } from '../health/routes.ts'
import { answerInTime, connectBriefly, makeBriefClient } from '../store/brief-client.ts'
import { endClient } from '../store/end-client.ts'
import { actorRole, frontRole } from '../store/logins.ts'
import { loadMigrations, type Migration, readSchema, type SchemaState } from '../store/schema.ts'
import { isTransient, readSqlstate, sqlstate } from '../store/sqlstate.ts'
import type { Log } from '../telemetry/log.ts'
import { makeMetrics, serveMetrics } from '../telemetry/metrics.ts'
import { observeProcess } from '../telemetry/process.ts'
import { rejectAll } from '../web/authenticate.ts'
import { serve } from '../web/server.ts'
import { observeReadiness } from './observe-parts.ts'

export type AwaitSchemaOptions = {
  readonly migrations?: readonly Migration[]
  readonly waitMs?: number
  readonly pollMs?: number
  /** Aborted when the process receives a signal to stop. */
  readonly signal?: AbortSignal
}

/** Without privileges on the record of the migrations, all of them count as missing. */
type SchemaCheck = SchemaState & { readonly hasPrivileges: boolean }

/**
 * Resolves when all migrations that this code knows were applied. The check is one read and needs no other right. Meanwhile the liveness
 * check passes and the readiness check fails. Throws SchemaFault if this version does not run on the database; throws if migrations are
 * still missing after ten minutes, if the first check cannot reach the database, and the reason of the aborted signal.
 */
export async function awaitSchema(config: Config, log: Log, waiting: AwaitSchemaOptions = {}): Promise<void> {
  const { migrations = loadMigrations(), waitMs = 10 * 60_000, pollMs = 1_000, signal } = waiting
  const url = config.DATABASE_URL ?? ''
  const state = await checkSchema(url, migrations)
  if (state.missing.length === 0) return logNewer(state, log)
  const memberOf = rolesOf(config)
  logMissing(state, memberOf, log)
  const servers = await answerMeanwhile(config)
  let hadPrivileges = state.hasPrivileges
  try {
    const untilMs = performance.now() + waitMs
    for (let now: SchemaCheck | null = state; now === null || now.missing.length > 0; ) {
      if (performance.now() > untilMs)
        throw new Error(
          `the database still lacks migrations${hadPrivileges ? '' : ', or the privileges on them,'} after ${Math.round(waitMs / 1_000)} s: run TRACEWRIGHT_ROLES=migrate with this version${hadPrivileges ? '' : `; if it has run, an administrator of the database must run "grant ${memberOf.join(', ')} to ${userOf(url)}"`}`,
        )
      await sleep(pollMs, undefined, signal === undefined ? {} : { signal })
      now = await checkSchema(url, migrations).catch((error: unknown) => {
        // The database is unavailable, for example because it restarts.
        if (isTransient(error)) return null
        throw error
      })
      if (now === null || now.missing.length === 0 || now.hasPrivileges === hadPrivileges) continue
      hadPrivileges = now.hasPrivileges
      logMissing(now, memberOf, log)
    }
    log.info('the database has all migrations that this version needs')
  } finally {
    await servers.stop()
  }
}

const waitingChecks = { schema: () => Promise.resolve(false) }

/** Serves health checks and metrics on the usual ports of the process. */
async function answerMeanwhile(config: Config): Promise<{ stop(): Promise<void> }> {
  const metrics = makeMetrics()
  observeProcess(metrics, config.ROLES)
  observeReadiness(metrics, waitingChecks)
  const server = await serve({
    host: config.HOST,
    port: config.PORT,
    trustedProxies: 0,
    maxJsonBodyBytes: 0,
    authenticator: rejectAll,
    onRequest: () => undefined,
    routes: makeHealthRoutes({ checks: waitingChecks }),
  })
  const metricsServer = await serveMetrics({
    registry: metrics.registry,
    host: config.HOST,
    port: config.METRICS_PORT,
    readStatus: () => ({ pid: process.pid, roles: config.ROLES, waits_for: 'schema', front: null, actor: null }),
  }).catch(async (error: unknown) => {
    await server.stop(0)
    throw error
  })
  return { stop: async () => void (await Promise.all([server.stop(0), metricsServer.stop()])) }
}

/** Returns the roles of the database that the roles of this process need. */
const rolesOf = ({ ROLES }: Config): readonly string[] => [
  ...(ROLES === 'actor' ? [] : [frontRole]),
  ...(ROLES === 'front' ? [] : [actorRole]),
]

/** Returns the user of the URL, as it is written in SQL. */
const userOf = (url: string): string =>
  URL.canParse(url) ? `"${decodeURIComponent(new URL(url).username).replaceAll('"', '""')}"` : 'this user'

function logMissing({ missing, hasPrivileges }: SchemaCheck, memberOf: readonly string[], log: Log): void {
  if (!hasPrivileges)
    return log.warn(
      { memberOf },
      'the database user has no privileges on the schema yet: this process waits until `TRACEWRIGHT_ROLES=migrate` of this version has run and the user is a member of the roles in `memberOf`',
    )
  log.warn(
    { missing: missing.map(({ name }) => name) },
    'the database lacks migrations: this process is not ready until `TRACEWRIGHT_ROLES=migrate` has run with this version',
  )
}

function logNewer({ newer }: SchemaState, log: Log): void {
  if (newer.length > 0) log.info({ newer }, 'the database schema is newer than this version, and compatible with it')
}

async function checkSchema(url: string, migrations: readonly Migration[]): Promise<SchemaCheck> {
  const client = makeBriefClient(url, 'tracewright-schema')
  await connectBriefly(client)
  try {
    return { ...(await answerInTime(readSchema(client, migrations))), hasPrivileges: true }
  } catch (error) {
    // The record of the migrations exists before the last of them has run, and the privileges are granted after that.
    if (readSqlstate(error) !== sqlstate.insufficientPrivilege) throw error
    return { missing: migrations, newer: [], hasPrivileges: false }
  } finally {
    await endClient(client)
  }
}
