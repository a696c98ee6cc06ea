// Writes one log line and one measurement per request. Level error is for waking a person, warn for the next morning.
import { Outage } from '../base/fault.ts'
import type { Log } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { RequestReport } from '../web/server.ts'

const quietRoutes = new Set([
  '/v1/health/live',
  '/v1/health/ready',
  '/healthz',
  '/readyz',
  '/v1/apply/rules',
  'dashboard asset',
  'dashboard file',
])

export function reportRequest(report: RequestReport, log: Log, metrics: Metrics): void {
  const { method, route, status, durationMs, requestId, error } = report
  metrics.requests.observe({ method, route, status: String(status) }, durationMs / 1_000)
  const line = { method, route, status, durationMs: Math.round(durationMs * 10) / 10, requestId }
  if (error === undefined) {
    // Requests that repeat every few seconds, or twenty times for one page, are logged at level debug while they succeed.
    if (status < 400 && quietRoutes.has(route)) log.debug(line, 'request')
    else log.info(line, 'request')
  } else if (error instanceof Outage) log.warn({ ...line, error }, 'request failed because of an outage')
  else log.error({ ...line, error }, 'request failed because of a bug')
}
