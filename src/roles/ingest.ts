// The ingest path of a front: threads, queue, group commit.
import { makeByteBudget } from '../base/byte-budget.ts'
import type { Config } from '../config.ts'
import { openGroupCommit } from '../ingest/group-commit.ts'
import { makeIngest } from '../ingest/ingest-request.ts'
import { makeIngestRoutes } from '../ingest/routes.ts'
import { openWorkspaceFacts } from '../ingest/workspace-facts.ts'
import { defaultIngestLimits, type IngestLimits } from '../otlp/intake/limits.ts'
import { openDecodePool } from '../threads/decode-pool.ts'
import { openRateLimit } from '../web/rate-limit.ts'
import type { ActorClient } from './actor-router.ts'
import type { AppContext } from './app-context.ts'
import { countFullBudget, countOutages, countRateLimited } from './ingest-outages.ts'

export function openIngest(app: AppContext, { router }: Pick<ActorClient, 'router'>) {
  const { config, databases, bus, log, metrics, clock, onError } = app
  const limits = readLimits(config)
  const maxWaitMs = config.INGEST_MAX_WAIT_MS
  const pool = openDecodePool({
    threads: config.DECODE_THREADS,
    maxQueue: config.DECODE_QUEUE,
    maxWaitMs,
    onError: (error) => onError(error, 'keeping the decode threads'),
  })
  const facts = openWorkspaceFacts(databases.control)
  const budget = makeByteBudget(config.INGEST_QUEUE_BYTES)
  const onRefused = (reason: string): void => metrics.requestsRefused.inc({ reason })
  const store = openGroupCommit({
    db: databases.ingest,
    flushRows: config.INGEST_FLUSH_ROWS,
    flushMs: config.INGEST_FLUSH_MS,
    // One connection is reserved for settling, and one of the commits for small senders.
    maxCommits: Math.max(1, config.DATABASE_INGEST_CONNECTIONS - 1),
    maxBytes: config.INGEST_QUEUE_BYTES,
    maxWaitMs,
    onFlush: ({ cause, rows, durationMs }) => {
      metrics.commitFlushes.inc({ cause })
      metrics.commitRows.observe(rows)
      metrics.commitSeconds.observe(durationMs / 1_000)
    },
  })
  const ingest = makeIngest({
    limits,
    nowMs: clock.nowMs,
    ...countOutages({ facts, pool, store }, onRefused),
    reserve: async (workspaceId, batchKey, spans) =>
      (await router.reserve(workspaceId, batchKey, spans))?.granted ?? null,
    onDecoded: ({ rejections, bugs, withheldSpans, durationMs }) => {
      for (const stack of bugs) log.error({ stack }, 'rejected a span because of a bug')
      metrics.decodeSeconds.observe(durationMs / 1_000)
      metrics.withheldSpans.inc(withheldSpans)
      for (const [reason, count] of Object.entries(rejections.counts)) {
        metrics.rejections.inc({ reason }, count)
        metrics.spans.inc({ outcome: 'rejected' }, count)
      }
    },
    onNews: ({ workspaceId, stored, results, contradicted }) =>
      bus.notices.publishCommit(workspaceId, stored, { results, contradicted }),
    onStored: ({ workspaceId, batchKey, outcome }) => {
      if (batchKey !== '') router.settle(workspaceId, batchKey, outcome.stored)
      metrics.spans.inc({ outcome: 'stored' }, outcome.stored)
      metrics.spans.inc({ outcome: 'duplicate' }, outcome.duplicate)
      metrics.spans.inc({ outcome: 'dropped_quota' }, outcome.droppedQuota)
      metrics.spans.inc({ outcome: 'dropped_agent_cap' }, outcome.droppedAgentCap)
      metrics.spans.inc({ outcome: 'rejected' }, outcome.notStorable)
      metrics.unpricedCalls.inc(outcome.unpriced)
    },
  })
  bus.onGap(facts.forgetAll)
  metrics.watch('tracewright_ingest_queued_bytes', 'Decoded bytes that wait for the database', () =>
    store.queuedBytes(),
  )
  metrics.watch('tracewright_ingest_body_bytes', 'Bytes of request bodies in memory', () => budget.taken())
  metrics.watch('tracewright_ingest_decode_queue', 'Requests that wait for a decode thread', () => pool.queued())
  metrics.watch(
    'tracewright_ingest_queued_bytes_limit',
    'Limit of the bytes that wait for the database, and of the bytes of request bodies; beyond it requests are refused',
    () => config.INGEST_QUEUE_BYTES,
  )
  metrics.watch(
    'tracewright_ingest_decode_queue_limit',
    'Limit of the requests that wait for a decode thread; beyond it requests are refused',
    () => config.DECODE_QUEUE,
  )
  return {
    limits,
    forgetWorkspace: facts.forget,
    routes: makeIngestRoutes({
      limits,
      budget: countFullBudget(budget, onRefused),
      rateLimit: countRateLimited(openRateLimit(config.INGEST_REQUESTS_PER_S), onRefused),
      ingest,
      onRefused,
    }),
    async stop() {
      await store.stop()
      await pool.stop()
    },
  }
}

function readLimits(config: Config): IngestLimits {
  return {
    ...defaultIngestLimits,
    bodyBytes: config.INGEST_MAX_BODY_BYTES,
    inflatedBytes: config.INGEST_MAX_INFLATED_BYTES,
    spansPerRequest: config.INGEST_MAX_SPANS,
    maxAgeMs: config.INGEST_MAX_AGE_S * 1_000,
    maxAheadMs: config.INGEST_MAX_AHEAD_S * 1_000,
  }
}
