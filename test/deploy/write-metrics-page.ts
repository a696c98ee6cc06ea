// Starts a service and writes deploy/docs/metrics.md from its registry: node test/deploy/write-metrics-page.ts
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../../src/store/embedded/server.ts'
import { root } from '../shape/_source.ts'
import type { Observed } from './_observed.ts'
import { alerts } from './_operations.ts'
import { readQuery } from './_promql.ts'

export const metricsPage = 'deploy/docs/metrics.md'

const head = `# Metrics

Every process serves these metrics on its metrics port (\`TRACEWRIGHT_METRICS_PORT\`, 9464), at \`/metrics\`. \`/status\` on the same port
describes the process in JSON. Fronts and actors expose the metrics of their role; a process with both roles exposes all of them. \`tracewright_nats_…\`
exists only with NATS. Each label has few values, and no label contains an id or a name that a customer chose. The dashboard
(\`deploy/helm/tracewright/files/dashboard.json\`) shows all metrics. The last column names the alerts that use a metric and links to their runbooks.

This page is generated from the registry of a running service: \`npx node test/deploy/write-metrics-page.ts\`.
`

const tail = `
Each process also exposes the default metrics of the Prometheus client for Node (\`process_…\`, \`nodejs_…\`).
`

/** Returns the expected text of the page. */
export function makeMetricsPage(metrics: ReadonlyMap<string, Observed>): string {
  const rows = [...metrics]
    .filter(([name]) => name.startsWith('tracewright_'))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { type, labels, help }]) => {
      const names = [...labels].map((label) => `\`${label}\``).join(', ')
      return `| \`${name}\` | ${type} | ${names} | ${help} | ${listAlerts(name)} |`
    })
  return [head, '| metric | type | labels | meaning | alerts |', '|---|---|---|---|---|', ...rows, tail].join('\n')
}

function listAlerts(metric: string): string {
  return alerts
    .filter(({ expr }) => readQuery(expr).selected.some((one) => baseOf(one.metric) === baseOf(metric)))
    .map(
      ({ alert, annotations }) => `[${alert.replace('Tracewright', '')}](${linkTo(annotations['runbook_url'] ?? '')})`,
    )
    .join(', ')
}

const baseOf = (series: string): string => series.replace(/_(bucket|sum|count)$/, '')
const linkTo = (runbook: string): string => runbook.replace(/^deploy\//, '../')

if (import.meta.main) {
  const { observe } = await import('./_observed.ts')
  const cache = join(root, '.cache')
  mkdirSync(cache, { recursive: true, mode: 0o755 })
  const folder = mkdtempSync(join(cache, 'metrics-'))
  // As root, the server runs as another user, who needs access to the folder.
  chmodSync(folder, 0o755)
  const server = await startEmbeddedPostgres({ dataDir: join(folder, 'data'), onLine: () => undefined })
  try {
    const { metrics } = await observe(server.url('postgres'))
    writeFileSync(join(root, metricsPage), makeMetricsPage(metrics))
    process.stdout.write(`${metricsPage}: ${metrics.size} metrics\n`)
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
