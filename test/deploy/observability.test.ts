// Metrics, alerts, runbooks and dashboard use the same names, and the service really reports them.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import test from 'ava'
import { partitionCount } from '../../src/actors/partition.ts'
import { settings } from '../../src/settings.ts'
import { makeDatabase, type TestDatabase } from '../_kit/db.ts'
import { listFiles, read, root } from '../shape/_source.ts'
import { type Observation, type Observed, observe } from './_observed.ts'
import { alerts, dashboard, listBlocks, queries, runbooks } from './_operations.ts'
import { readQuery } from './_promql.ts'
import { makeMetricsPage, metricsPage } from './write-metrics-page.ts'

let database: TestDatabase
let observed: Observation

test.before(async () => {
  database = await makeDatabase()
  observed = await observe(database.url)
})

test.after.always(async () => {
  await database.stop()
})

const source = listFiles(['src'])
  .map(({ text }) => text)
  .join('\n')

/** Labels that Prometheus and the chart's ServiceMonitor add to every series. */
const targetLabels = new Set(['namespace', 'pod', 'instance', 'job', 'app_kubernetes_io_instance'])

/** Of kube-state-metrics. */
const ofCronJob: Observed = { type: 'gauge', help: '', labels: new Set(['cronjob']) }
const foreign = new Map([
  ['kube_cronjob_status_last_successful_time', ofCronJob],
  ['kube_cronjob_created', ofCronJob],
])

/** Returns the metric that a series belongs to. */
function find(series: string): Observed | undefined {
  if (foreign.has(series)) return foreign.get(series)
  const histogram = observed.metrics.get(series.replace(/_(bucket|sum|count)$/, ''))
  return observed.metrics.get(series) ?? (histogram?.type === 'histogram' ? histogram : undefined)
}

test('every query of alerts, dashboard and runbooks is PromQL', (t) => {
  t.true(queries.length > 150)
  t.deepEqual(
    queries.flatMap(({ at, text }) => readQuery(text).faults.map((fault) => `${at}: ${fault}`)),
    [],
  )
})

test('the reader of PromQL finds faults, series and labels', (t) => {
  t.is(readQuery('sum by (pod (up)').faults.length > 0, true)
  t.deepEqual(readQuery('sum by (pod, le) (rate(a_bucket{x=~"1|2"}[5m])) / on (job) b').grouped, ['pod', 'le', 'job'])
  t.deepEqual(readQuery('rate(a_bucket{x=~"1|2",y!="3"}[5m]) / b').selected, [
    {
      metric: 'a_bucket',
      matchers: [
        { label: 'x', operator: '=~', value: '1|2' },
        { label: 'y', operator: '!=', value: '3' },
      ],
    },
    { metric: 'b', matchers: [] },
  ])
})

test('every queried metric exists, with the queried labels', (t) => {
  const faults = queries.flatMap(({ at, text }) => {
    const { selected, grouped } = readQuery(text)
    const known = new Set([
      ...targetLabels,
      'le',
      ...selected.flatMap(({ metric }) => [...(find(metric)?.labels ?? [])]),
    ])
    return [
      ...selected.filter(({ metric }) => find(metric) === undefined).map(({ metric }) => `${at}: no ${metric}`),
      ...selected.flatMap(({ metric, matchers }) =>
        matchers
          .filter(({ label }) => !targetLabels.has(label) && find(metric)?.labels.has(label) !== true)
          .map(({ label }) => `${at}: ${metric} has no label ${label}`),
      ),
      ...grouped.filter((label) => !known.has(label)).map((label) => `${at}: nothing has the label ${label}`),
    ]
  })
  t.deepEqual(faults, [])
})

test('queried buckets, sums and counts belong to histograms, and only counters are queried with rate', (t) => {
  const faults = queries.flatMap(({ at, text }) =>
    [...text.matchAll(/\b(?:rate|increase)\((\w+)/g)]
      .map(([, series]) => series ?? '')
      .filter((series) => !['counter', 'histogram'].includes(find(series)?.type ?? ''))
      .map((series) => `${at}: ${series}`),
  )
  t.deepEqual(faults, [])
})

/** Returns whether the source has the value as the beginning or end of a string, or as a key; of a pattern, the text beside `.*`. */
function isNamed(value: string): boolean {
  const words = value.replaceAll(/^\.\*|\.\*$/g, '')
  if (value.startsWith('.*')) return new RegExp(`${words}['\`]`).test(source)
  return source.includes(`'${words}`) || new RegExp(`\\b${words}:`).test(source)
}

test('every queried label value occurs in the source', (t) => {
  // These values come from HTTP, from Node and from the chart.
  const free = new Set(['status', 'method', 'kind', 'cronjob', ...targetLabels])
  const faults = queries.flatMap(({ at, text }) =>
    readQuery(text)
      .selected.flatMap(({ matchers }) => matchers)
      .filter(({ label }) => !free.has(label))
      .flatMap(({ label, operator, value }) =>
        (operator.endsWith('~') ? value.split('|') : [value])
          .filter((one) => !isNamed(one))
          .map((one) => `${at}: ${label} is never ${one}`),
      ),
  )
  t.deepEqual(faults, [])
})

test('every metric says what it means, ours begin with our name, and the dashboard shows all of them', (t) => {
  const ours = [...observed.metrics].filter(([name]) => !/^(process|nodejs)_/.test(name))
  t.true(ours.length > 60)
  t.deepEqual(
    ours.filter(([name, { help }]) => !name.startsWith('tracewright_') || help === '').map(([name]) => name),
    [],
  )
  const shown = new Set(
    dashboard.panels.flatMap(({ targets = [] }) =>
      targets.flatMap(({ expr }) => readQuery(expr).selected.map(({ metric }) => find(metric))),
    ),
  )
  t.deepEqual(
    ours.filter(([, metric]) => !shown.has(metric)).map(([name]) => name),
    [],
  )
})

test('a counter ends in _total and nothing else does', (t) => {
  t.deepEqual(
    [...observed.metrics]
      .filter(([name, { type }]) => name.startsWith('tracewright_') && name.endsWith('_total') !== (type === 'counter'))
      .map(([name]) => name),
    [],
  )
})

test('a serving process exposes metrics of each of its pools, limits and checks', (t) => {
  t.true(observed.samples.includes('tracewright_ready{check="database"} 1'))
  t.true(observed.samples.includes(`tracewright_partitions_owned ${partitionCount}`))
  for (const pool of ['ingest', 'control', 'reads', 'optimizer', 'cluster'])
    t.true(observed.samples.includes(`tracewright_database_waiting{pool="${pool}"} 0`), pool)
  t.true(observed.samples.includes('tracewright_ready{check="serving"} 1'))
  t.true(observed.samples.includes('tracewright_nats_up 0'))
  // For Prometheus, a counter that is first seen at one has never risen.
  for (const source of ['delta', 'minute', 'hour', 'day'])
    t.true(observed.samples.includes(`tracewright_rollup_damage_total{source="${source}"} 0`), source)
  t.true(observed.samples.includes('tracewright_ingest_decode_queue_limit 64'))
  const valueOf = (name: string): number =>
    Number(observed.samples.find((one) => one.startsWith(`${name} `))?.split(' ')[1])
  t.true(valueOf('tracewright_memory_limit_bytes') > valueOf('process_resident_memory_bytes'))
  t.true(valueOf('tracewright_heap_limit_bytes') > valueOf('nodejs_heap_size_used_bytes'))
  t.true(valueOf('tracewright_event_loop_active_seconds_total') > 0)
})

test('the page of metrics lists what the service exposes; if not, run: node test/deploy/write-metrics-page.ts', (t) => {
  t.is(read(metricsPage), makeMetricsPage(observed.metrics))
})

test('every alert has a severity, a summary and a runbook', (t) => {
  t.is(new Set(alerts.map(({ alert }) => alert)).size, alerts.length)
  for (const { alert, labels, annotations, for: hold } of alerts) {
    t.regex(alert, /^Tracewright[A-Z]\w+$/)
    t.true(['critical', 'warning'].includes(labels['severity'] ?? ''), alert)
    t.true((annotations['summary'] ?? '').length > 0 && (annotations['description'] ?? '').length > 0, alert)
    t.regex(hold ?? '1m', /^\d+[smh]$/)
    const kebab = alert.replace('Tracewright', '').replaceAll(/(?<!^)([A-Z])/g, '-$1')
    t.is(annotations['runbook_url'], `deploy/runbooks/${kebab.toLowerCase()}.md`)
  }
})

test('the labels in the text of an alert are in the result of its query', (t) => {
  const faults = alerts.flatMap(({ alert, expr, annotations }) => {
    const told = [...(annotations['description'] ?? '').matchAll(/\$labels\.(\w+)/g)].map(([, label]) => label ?? '')
    const { grouped } = readQuery(expr)
    const isWhole = !/\b(sum|max|min|count)\b/.test(expr)
    return told.filter((label) => !isWhole && !grouped.includes(label)).map((label) => `${alert}: ${label}`)
  })
  t.deepEqual(faults, [])
})

test('the alert for partitions counts as many as there are', (t) => {
  const { expr } = alerts.find(({ alert }) => alert === 'TracewrightPartitionsWithoutOwner') ?? { expr: '' }
  t.true(expr.includes(`(tracewright_partitions_owned) < ${partitionCount}`))
})

test('every alert has a page and every page an alert, with its name and the same parts', (t) => {
  t.deepEqual(
    runbooks.map(({ path }) => path),
    alerts.map(({ annotations }) => annotations['runbook_url'] ?? '').sort(),
  )
  const contents = read('deploy/runbooks/README.md')
  for (const { path, name, text } of runbooks) {
    const owner = alerts.find(({ annotations }) => annotations['runbook_url'] === path)
    t.is(text.split('\n')[0], `# ${owner?.alert}`)
    t.true(text.includes(`Severity: ${owner?.labels['severity']}.`), path)
    t.deepEqual(
      [...text.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading),
      ['Meaning', 'Impact', 'Diagnosis', 'Mitigation'],
      path,
    )
    t.true(listBlocks(text, 'promql').length + listBlocks(text, 'sql').length + listBlocks(text, 'sh').length > 0, path)
    t.true(contents.includes(`[${owner?.alert}](${name}.md)`), `${path} is not in the contents`)
  }
})

test('log lines that runbooks name are written by the service', (t) => {
  // The backup is a Job of PostgreSQL's programs.
  const ofService = runbooks.filter(({ name }) => name !== 'backup-overdue')
  const faults = ofService.flatMap(({ path, text }) => {
    const [, list = ''] = /Related log lines:\n\n((?:- .*\n)+)/.exec(text) ?? []
    const lines = [...list.matchAll(/^- `(.*)`$/gm)].map(([, line]) => line ?? '')
    return [
      ...(lines.length === 0 ? [`${path}: no line`] : []),
      ...lines.filter((line) => !source.includes(`'${line}'`)).map((line) => `${path}: ${line}`),
    ]
  })
  t.deepEqual(faults, [])
})

test('log messages that runbooks search for exist', (t) => {
  // A field of the line `request`, whose value is a variable.
  const ofRequest = '"status":503'
  // Labels of metrics are not logged.
  const logged = source.replaceAll(/\.inc\([^)]*\)/g, '')
  const faults = runbooks.flatMap(({ path, text }) =>
    [...text.matchAll(/grep -F '([^']+)'/g)]
      .map(([, words]) => words ?? '')
      .filter((words) => words !== ofRequest && !logged.includes(words))
      .map((words) => `${path}: ${words}`),
  )
  t.deepEqual(faults, [])
})

test('the SQL of runbooks runs on the schema', async (t) => {
  const statements = runbooks.flatMap(({ path, text }) => listBlocks(text, 'sql').map((sql) => ({ path, sql })))
  t.true(statements.length > 10)
  for (const { path, sql } of statements) await t.notThrowsAsync(database.query(`explain ${sql}`), path)
})

/** The pages that operators and newcomers read. */
const pages = [
  ...listFiles(['deploy'], ['.md']),
  ...['README.md', 'sdk/README.md', 'src/README.md', 'test/README.md'].map((path) => ({ path, text: read(path) })),
]

test('settings that the documentation names exist', (t) => {
  const ofCompose = [...read('deploy/compose.yaml').matchAll(/\$\{TRACEWRIGHT_(\w+)/g)].map(([, name]) => name ?? '')
  const names = new Set([...Object.keys(settings), ...ofCompose])
  // Users of the client library choose their own variable names.
  const told = pages.filter(({ path }) => path !== 'sdk/README.md')
  const faults = told.flatMap(({ path, text }) =>
    [...text.matchAll(/TRACEWRIGHT_([A-Z][A-Z_]*[A-Z])/g)]
      .map(([, name]) => name ?? '')
      .filter((name) => !names.has(name) && !names.has(name.replace(/_FILE$/, '')))
      .map((name) => `${path}: ${name}`),
  )
  t.deepEqual(faults, [])
})

const lastWord = (name: string): string => name.slice(name.lastIndexOf('_') + 1)

test('metrics that anything in deploy/ names exist', (t) => {
  // Names of databases and volumes may begin with our name as well.
  const endings = new Set([...observed.metrics.keys()].map(lastWord))
  const faults = listFiles(['deploy'], ['.md', '.yaml', '.tpl', '.json', '.txt', '.ts']).flatMap(({ path, text }) =>
    [...text.matchAll(/\btracewright_[a-z0-9_]*[a-z0-9]\b/g)]
      .map(([name]) => name)
      .filter((name) => endings.has(lastWord(name)) && find(name) === undefined)
      .map((name) => `${path}: ${name}`),
  )
  t.deepEqual(faults, [])
})

test('links between pages lead somewhere', (t) => {
  const anchorOf = (heading: string): string =>
    `#${heading
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-')}`
  const listAnchors = (page: string): string[] =>
    [...read(page).matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchorOf(heading ?? ''))
  const faults = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/\]\(([^)#:]*)(#[^)]*)?\)/g)]
      .filter(([, link = '', anchor]) => {
        const target = link === '' ? path : join(dirname(path), link)
        if (!existsSync(join(root, target))) return true
        return anchor !== undefined && !listAnchors(target).includes(anchor)
      })
      .map(([link]) => `${path}: ${link}`),
  )
  t.deepEqual(faults, [])
})

test('the labels in a legend are in the result of its query', (t) => {
  const faults = dashboard.panels.flatMap(({ title, targets = [] }) =>
    targets.flatMap(({ expr, legendFormat }) => {
      const { selected, grouped } = readQuery(expr)
      const isWhole = !/\b(sum|max|min|count)\b/.test(expr)
      const kept = isWhole
        ? selected.flatMap(({ metric }) => [...(find(metric)?.labels ?? []), ...targetLabels])
        : grouped
      return [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)]
        .map(([, label]) => label ?? '')
        .filter((label) => !kept.includes(label))
        .map((label) => `${title}: ${label}`)
    }),
  )
  t.deepEqual(faults, [])
})
