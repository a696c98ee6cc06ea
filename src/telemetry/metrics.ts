// The registry of Prometheus metrics, and the separate port that serves it.
import { createServer } from 'node:http'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { listen } from '../base/listen.ts'

const secondsBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export type Metrics = ReturnType<typeof makeMetrics>

/** All metrics of the service, in one registry. Labels have few values each; never an id, never a name that a customer chose. */
export function makeMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Counter({ name, help, labelNames, registers })
  /** A counter that is read on each scrape: `read` returns the total since the start of the process. */
  const watchTotal = (name: string, help: string, read: () => number): void =>
    void new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset()
        this.inc(read())
      },
    })
  const histogram = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Histogram({ name, help, labelNames, registers, buckets: secondsBuckets })
  const gauge = <L extends string>(
    name: string,
    help: string,
    labelNames: readonly L[],
    collect?: (gauge: Gauge<L>) => void | Promise<void>,
  ) =>
    new Gauge<L>({
      name,
      help,
      labelNames,
      registers,
      ...(collect === undefined
        ? {}
        : {
            async collect() {
              await collect(this)
            },
          }),
    })
  /** A gauge that is read on each scrape. */
  const watch = (name: string, help: string, read: () => number): void =>
    void gauge(name, help, [], (one) => one.set(read()))
  return {
    registry,
    counter,
    watchTotal,
    gauge,
    watch,
    requests: histogram('tracewright_http_request_duration_seconds', 'Duration of HTTP requests', [
      'method',
      'route',
      'status',
    ]),
    connectionsEnded: counter(
      'tracewright_http_connections_ended_total',
      'Connections of clients that were ended or not accepted because of a limit, by limit',
      ['limit'],
    ),
    spans: counter('tracewright_ingest_spans_total', 'Received spans by outcome', ['outcome']),
    rejections: counter('tracewright_ingest_rejected_spans_total', 'Rejected spans by reason', ['reason']),
    withheldSpans: counter(
      'tracewright_ingest_withheld_spans_total',
      'Stored spans of which parts of the content were withheld, because their request exceeded the limit of text to redact',
      [],
    ),
    requestsRefused: counter(
      'tracewright_ingest_refused_requests_total',
      'Ingest requests that were refused as a whole, by reason',
      ['reason'],
    ),
    decodeSeconds: histogram(
      'tracewright_ingest_decode_duration_seconds',
      'Time to decode one ingest request in a decode thread',
      [],
    ),
    commitSeconds: histogram('tracewright_ingest_commit_duration_seconds', 'Duration of a group commit', []),
    commitFlushes: counter('tracewright_ingest_commit_flushes_total', 'Group commits by the cause that started them', [
      'cause',
    ]),
    commitRows: new Histogram({
      name: 'tracewright_ingest_commit_rows',
      help: 'Number of rows in a group commit',
      registers,
      buckets: [1, 10, 100, 500, 1_000, 2_000, 5_000, 10_000],
    }),
    settledTraces: counter('tracewright_settle_traces_total', 'Traces that settling processed, by result', ['result']),
    settleLagSeconds: gauge('tracewright_settle_lag_seconds', 'Time by which settling is late', []),
    unpricedCalls: counter('tracewright_unpriced_calls_total', 'Stored model calls that have no known price', []),
    retentionRemoved: counter(
      'tracewright_retention_removed_total',
      'Rows and chunks that retention removed, by kind',
      ['kind'],
    ),
    rollupLagSeconds: gauge(
      'tracewright_rollup_lag_seconds',
      'Time for which the oldest change has waited to be merged into the rollups',
      [],
    ),
    rollupDeltasWaiting: gauge(
      'tracewright_rollup_deltas_waiting',
      'Changes that wait to be merged into the rollups',
      [],
    ),
    rollupDeltasFolded: counter(
      'tracewright_rollup_deltas_folded_total',
      'Changes that were merged into the rollups',
      [],
    ),
    rollupMinutesFolded: counter(
      'tracewright_rollup_minutes_folded_total',
      'Rollup rows by minute that were written when changes were merged',
      [],
    ),
    rollupWork: counter(
      'tracewright_rollup_work_total',
      'Rollup jobs by result: rows summed up, time ranges recomputed, failures',
      ['result'],
    ),
    rollupRows: counter('tracewright_rollup_rows_read_total', 'Rollup rows that charts read, by source', ['from']),
    rollupDamage: counter('tracewright_rollup_damage_total', 'Rollups that could not be read, by kind', ['source']),
    optimizerTurns: counter(
      'tracewright_optimizer_turns_total',
      'Passes of the optimization loop over a workspace, by result',
      ['result'],
    ),
    optimizerTurnSeconds: histogram(
      'tracewright_optimizer_turn_duration_seconds',
      'Duration of a pass of the optimization loop over a workspace, including pauses',
      [],
    ),
    optimizerStepSeconds: histogram(
      'tracewright_optimizer_step_duration_seconds',
      'Duration of a step of the optimization loop',
      ['step'],
    ),
    decisionsProposed: counter('tracewright_decisions_proposed_total', 'Rules that the service proposed, by type', [
      'type',
    ]),
    decisionsMoved: counter(
      'tracewright_decisions_moved_total',
      'Changes of state of rules by the service, by new state and reason',
      ['to', 'why'],
    ),
    measurementsCut: counter(
      'tracewright_measurements_cut_total',
      'Measurements of rules that were cut short because a rule had more executions than one measurement reads',
      [],
    ),
    findings: counter('tracewright_findings_total', 'Findings that the service opened, updated or resolved', [
      'change',
    ]),
    actorRequests: counter('tracewright_actor_requests_total', 'Requests to workspace actors by operation and result', [
      'op',
      'result',
    ]),
    mailboxWaitSeconds: histogram(
      'tracewright_mailbox_wait_duration_seconds',
      'Time that messages waited in the mailbox of an actor',
      [],
    ),
    actorRetries: counter(
      'tracewright_actor_request_retries_total',
      'Requests to workspace actors that were retried',
      [],
    ),
    routeChanges: counter(
      'tracewright_route_changes_total',
      'Changes of partition owners that this front received',
      [],
    ),
    partitionsLost: counter(
      'tracewright_partitions_lost_total',
      'Partitions that this process gave up or lost, by reason',
      ['reason'],
    ),
    fencesClosed: counter(
      'tracewright_fenced_total',
      'Number of times the actors of this process stopped answering because another process might own their partitions',
      ['reason'],
    ),
    toolResults: counter(
      'tracewright_tool_results_total',
      'Lookups of stored tool results by outcome, and whether memory or the database answered',
      ['outcome', 'from'],
    ),
    fallbacks: counter('tracewright_fallback_total', 'Requests that were served without the actor of their workspace', [
      'path',
    ]),
    loopSuccess: gauge(
      'tracewright_loop_success_timestamp_seconds',
      'Unix time at which a background loop last completed its work, or at which it started if it has not yet',
      ['loop'],
    ),
    backgroundFailures: counter(
      'tracewright_background_failures_total',
      'Failures of background work, which is retried, by activity',
      ['doing'],
    ),
    purgesWaiting: gauge(
      'tracewright_purge_workspaces_waiting',
      'Deleted workspaces whose data is not completely removed, as of the last pass',
      [],
    ),
    connectionsBroken: counter(
      'tracewright_database_connections_broken_total',
      'Database connections that broke while idle, by pool',
      ['pool'],
    ),
  }
}

export type MetricsServer = { readonly port: number; stop(): Promise<void> }

export type MetricsOptions = {
  readonly registry: Registry
  readonly host: string
  readonly port: number
  /** The body of GET /status, sent as JSON. */
  readonly readStatus: () => object
}

// Longer than Prometheus usually waits between two scrapes: with Node's 5 s, each of them needs a new connection.
const keepAliveMs = 65_000

/** Serves GET /metrics, and GET /status for people. Throws an error that says what to do if it cannot listen. */
export async function serveMetrics({ registry, host, port, readStatus }: MetricsOptions): Promise<MetricsServer> {
  const pages: Readonly<Record<string, () => Promise<readonly [type: string, text: string]>>> = {
    '/metrics': async () => [registry.contentType, await registry.metrics()],
    '/status': () => Promise.resolve(['application/json; charset=utf-8', JSON.stringify(readStatus())]),
  }
  const server = createServer({ keepAliveTimeout: keepAliveMs }, (request, response) => {
    const page = request.method === 'GET' ? pages[request.url ?? ''] : undefined
    if (page === undefined) {
      response.writeHead(404).end()
      return
    }
    page().then(
      ([type, text]) => response.writeHead(200, { 'Content-Type': type }).end(text),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  return {
    port: await listen(server, port, host),
    stop: () =>
      new Promise<void>((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}
