// The metrics of a process, read from the metrics port of a service in all roles, alone and as part of a cluster.
import { randomBytes } from 'node:crypto'
import { readConfig } from '../../src/config.ts'
import { makeLog } from '../../src/telemetry/log.ts'
import { makeMetrics } from '../../src/telemetry/metrics.ts'
import { toEnvironment } from '../_kit/environment.ts'
import { startAll } from '../_kit/start-all.ts'
import { until } from '../_kit/until.ts'

export type Observed = { readonly type: string; readonly help: string; readonly labels: ReadonlySet<string> }

export type Observation = {
  /** By name; histograms without the suffixes of their series. */
  readonly metrics: ReadonlyMap<string, Observed>
  /** Lines of samples. */
  readonly samples: readonly string[]
}

/**
 * Observes two services, one after the other on an otherwise unused database: one alone, and one with all roles and an unreachable NATS,
 * which it can do without. A metric that both have is taken from the latter.
 */
export async function observe(databaseUrl: string): Promise<Observation> {
  const alone = await observeOne(databaseUrl, 'tracewright_ready{check="database"} 1', {})
  const joined = await observeOne(databaseUrl, 'tracewright_ready{check="serving"} 1', {
    ROLES: 'front,actor',
    NATS_URL: 'nats://127.0.0.1:1',
    DRAIN_DELAY_MS: 0,
  })
  return read([...joined, ...alone])
}

// Shared by all services on one database.
const secret = randomBytes(32).toString('base64url')

/** Returns the lines of the metrics page, once it has the one that says that the service is ready. */
async function observeOne(
  databaseUrl: string,
  ready: string,
  more: Record<string, string | number>,
): Promise<string[]> {
  const settings = {
    DATABASE_URL: databaseUrl,
    SECRET: secret,
    PORT: 0,
    METRICS_PORT: 0,
    DECODE_THREADS: 1,
    LOG_LEVEL: 'silent',
    ...more,
  }
  const config = readConfig(toEnvironment(settings))
  const running = await startAll(config, makeLog(config.LOG_LEVEL), (reason) => {
    throw new Error(`the service gave up: ${reason}`)
  })
  try {
    let lines: string[] = []
    await until(async () => {
      const response = await fetch(`http://127.0.0.1:${running.metricsPort}/metrics`)
      lines = (await response.text()).split('\n').filter((line) => line !== '')
      return lines.includes(ready)
    })
    return lines
  } finally {
    await running.stop()
  }
}

function read(lines: readonly string[]): Observation {
  const samples = lines.filter((line) => !line.startsWith('#'))
  const metrics = new Map<string, Observed>()
  for (const line of lines) {
    const [, name, help] = /^# HELP (\S+) ?(.*)$/.exec(line) ?? []
    if (name === undefined || help === undefined) continue
    const type = lines.find((one) => one.startsWith(`# TYPE ${name} `))?.split(' ')[3] ?? ''
    metrics.set(name, { type, help, labels: new Set([...listSeen(samples, name), ...listDeclared(name)].sort()) })
  }
  return { metrics, samples }
}

function listSeen(samples: readonly string[], name: string): string[] {
  const own = new RegExp(`^${name}(?:_bucket|_sum|_count)?\\{(.*)\\} `)
  return samples.flatMap((sample) =>
    [...(own.exec(sample)?.[1] ?? '').matchAll(/(\w+)="/g)]
      .map(([, label]) => label ?? '')
      .filter((one) => one !== 'le'),
  )
}

const { registry } = makeMetrics()

/** Declared labels of metrics without samples: before the first event, no sample shows its labels. */
function listDeclared(name: string): readonly string[] {
  const metric = registry.getSingleMetric(name) as { readonly labelNames?: readonly string[] } | undefined
  return metric?.labelNames ?? []
}
