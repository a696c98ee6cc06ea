// The service of a bench: its own process over the bench's PostgreSQL, with a workspace and a key.
import type { TestSettings } from '../_kit/environment.ts'
import { type ServiceProcess, startProcess } from '../_kit/service-process.ts'
import { signUp, type Tenant } from '../_kit/sign-up.ts'
import type { BenchPostgres } from './_postgres.ts'
import type { Stops } from './_stops.ts'

const usualLifeMs = 600_000

/**
 * Starts the service with defaults except `settings`, the sign-up limits, and the log, whose reader would use part of the measured machine.
 */
export async function startBenchService(
  stops: Stops,
  postgres: BenchPostgres,
  settings: TestSettings = {},
  longestLifeMs = usualLifeMs,
): Promise<ServiceProcess & Tenant> {
  const secret = 'a secret that is good enough for a bench'
  const all = { DATABASE_URL: postgres.url, SECRET: secret, LOG_LEVEL: 'warn', AUTH_RATE_LIMITS: 'off', ...settings }
  const service = stops.add(await startProcess(all, longestLifeMs), async (process) => await process.end('SIGTERM'))
  return { ...service, ...(await signUp(service.baseUrl)) }
}
