// Metrics of the database connections and of the readiness of a process.
import { type Check, readReadiness } from '../health/routes.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { Databases } from './databases.ts'

export function observeDatabases(metrics: Metrics, { ingest, control, reads, optimizer, cluster }: Databases): void {
  const pools = Object.entries({ ingest, control, reads, optimizer, cluster })
  metrics.gauge(
    'tracewright_database_connections',
    'Database connections by pool and state',
    ['pool', 'state'],
    (gauge) => {
      for (const [pool, db] of pools) {
        const { total, idle } = db.counts()
        gauge.set({ pool, state: 'busy' }, total - idle)
        gauge.set({ pool, state: 'idle' }, idle)
      }
    },
  )
  metrics.gauge(
    'tracewright_database_waiting',
    'Callers that wait for a database connection, by pool',
    ['pool'],
    (gauge) => {
      for (const [pool, db] of pools) gauge.set({ pool }, db.counts().waiting)
    },
  )
}

/** Runs the checks on each scrape, which takes 2 s if one hangs. */
export function observeReadiness(metrics: Metrics, checks: Readonly<Record<string, Check>>): void {
  metrics.gauge('tracewright_ready', '1 if the readiness check passes, else 0', ['check'], async (gauge) => {
    const { checks: results } = await readReadiness(checks)
    for (const [check, result] of Object.entries(results)) gauge.set({ check }, result === 'ok' ? 1 : 0)
  })
}
