// What a process tells on its metrics port: read from one that serves, with every role and as part of a cluster.
import { randomBytes } from 'node:crypto'
import { readConfig } from '../../src/config.ts'
import { makeLog } from '../../src/watch/log.ts'
import { makeMetrics } from '../../src/watch/metrics.ts'
import { toEnvironment } from '../_kit/environment.ts'
import { startAll } from '../_kit/start-all.ts'

export type Observed = { readonly type: string; readonly help: string; readonly labels: ReadonlySet<string> }

export type Observation = {
  /** By their names, histograms without the endings of their series. */
  readonly metrics: ReadonlyMap<string, Observed>
  /** Lines of samples. */
  readonly samples: readonly string[]
}

/**
 * Of two services, one after the other on a database of nobody else: one by itself, and one of every role beside a NATS that is not
 * there, which it goes without. What both tell is told by the latter.
 */
export async function observe(databaseUrl: string): Promise<Observation> {
  const alone = await observeOne(databaseUrl, {})
  const joined = await observeOne(databaseUrl, {
    ROLES: 'front,actor',
    NATS_URL: 'nats://127.0.0.1:1',
    DRAIN_DELAY_MS: 0,
  })
  return read([...joined, ...alone])
}

// Of all who use one database.
const secret = randomBytes(32).toString('base64url')

/** The lines of its page. */
async function observeOne(databaseUrl: string, more: Record<string, string | number>): Promise<string[]> {
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
    const response = await fetch(`http://127.0.0.1:${running.metricsPort}/metrics`)
    return (await response.text()).split('\n').filter((line) => line !== '')
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

/** Of those that exist before anything happens: what never happened has no sample that shows its labels. */
function listDeclared(name: string): readonly string[] {
  const metric = registry.getSingleMetric(name) as { readonly labelNames?: readonly string[] } | undefined
  return metric?.labelNames ?? []
}
