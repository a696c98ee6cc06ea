// Liveness and readiness. Liveness depends on this process alone, so that a shared outage restarts no process.
import { z } from 'zod'
import { withTimeout } from '../base/within.ts'
import type { RawRoute, Route } from '../web/route.ts'

export type Check = () => Promise<boolean>

export type HealthDeps = {
  /** By name. Each check must answer quickly. If one returns false or throws, the process is not ready. */
  readonly checks: Readonly<Record<string, Check>>
}

const checkDeadlineMs = 2_000

const healthShape = z
  .object({ status: z.enum(['ok', 'unavailable']), checks: z.record(z.string(), z.enum(['ok', 'failed'])) })
  .meta({ id: 'Health' })

type Health = z.infer<typeof healthShape>

/** /v1/health/live and /v1/health/ready, and the aliases that orchestrators use by convention. */
export function makeHealthRoutes(deps: HealthDeps): Route[] {
  const live = async (): Promise<Health> => ({ status: 'ok', checks: {} })
  const ready = share(() => readReadiness(deps.checks))
  return [
    makeProbe('/v1/health/live', 'Check that the process is alive', live),
    makeProbe('/v1/health/ready', 'Check that the process can serve requests', ready),
    makeProbe('/healthz', 'Alias of /v1/health/live', live),
    makeProbe('/readyz', 'Alias of /v1/health/ready', ready),
  ]
}

/** Runs all checks, within 2 s each. The process is ready if all are `ok`. */
export async function readReadiness(checks: Readonly<Record<string, Check>>): Promise<Health> {
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => [name, (await passes(check)) ? 'ok' : 'failed'] as const),
  )
  const isReady = results.every(([, result]) => result === 'ok')
  return { status: isReady ? 'ok' : 'unavailable', checks: Object.fromEntries(results) }
}

/** Concurrent callers share one run: a probe needs no credential, and must not be a way to load the database. */
function share(read: () => Promise<Health>): () => Promise<Health> {
  let running: Promise<Health> | null = null
  return () => {
    running ??= read().finally(() => {
      running = null
    })
    return running
  }
}

async function passes(check: Check): Promise<boolean> {
  try {
    return (await withTimeout(checkDeadlineMs, check())) === true
  } catch {
    // A probe answers only yes or no. The component that uses the failed part reports the error in metrics and the log.
    return false
  }
}

function makeProbe(path: string, summary: string, read: () => Promise<Health>): RawRoute {
  return {
    kind: 'raw',
    method: 'GET',
    path,
    tag: 'Health',
    summary,
    auth: 'none',
    operation: {
      responses: {
        200: { description: 'Yes', content: { 'application/json': { schema: healthShape } } },
        503: { description: 'No', content: { 'application/json': { schema: healthShape } } },
      },
    },
    handle: async (ctx) => {
      const health = await read()
      ctx.status = health.status === 'ok' ? 200 : 503
      ctx.set('Cache-Control', 'no-store')
      ctx.set('Content-Type', 'application/json; charset=utf-8')
      ctx.body = JSON.stringify(health)
    },
  }
}
