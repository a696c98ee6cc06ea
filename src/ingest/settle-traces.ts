// Floor 3. Settling: what the spans of a trace mean once the trace is known. Done for traces that have been quiet for a while,
// and again when late spans arrive. Doing it twice changes nothing.
import { makeUuidV7 } from '../base/ids.ts'
import type { Kind } from '../otlp/event.ts'
import { type Resolved, resolve } from '../otlp/trace/resolve.ts'
import type { Database, Tx } from '../store/database.ts'
import { makeSettledCounts, type SettledCounts } from './settled-counts.ts'

export type TraceKey = { readonly workspace_id: string; readonly trace_id: Buffer }

type Due = TraceKey & { readonly span_count: number; readonly quiet_ms: number }

type SpanRow = {
  workspace_id: string
  trace_id: string
  span_id: string
  parent_span_id: string | null
  start_time_us: number
  kind: Kind
  agent_own: string | null
  agent_fallback: string
  session_own: string | null
  user_own: string | null
  tool_name: string | null
  tool_call_id: string | null
  model: string | null
  input_hash: string | null
  has_usage: boolean
  duration_us: number | null
  response_id: string | null
  input_tokens: number | null
  output_tokens: number | null
  agent_id: string
  agent_name: string
  session_id: string | null
  user_id: string | null
  counted: boolean
  scope_name: string | null
  usage_detail: number
  is_error: boolean
  told_twice: boolean
}

export type Settled = {
  readonly traces: number
  /** How long after its due time the oldest of them was settled. */
  readonly lagMs: number
}

export type SettleBounds = {
  readonly maxTraces: number
  /** Traces that are left alone this time. */
  readonly skip: readonly TraceKey[]
  /** Told which traces this call is about, before it does anything to them. */
  readonly onPicked: (traces: readonly TraceKey[]) => void
}

export const maxTraces = 200
// The spans of one call pass through the memory of this thread, which answers nothing else while it resolves them.
const maxSpans = 10_000
// A trace beyond this is no trace but a habit of using one id. It keeps what its batches told; its sums are right all the same.
const maxResolvedSpans = 100_000
const maxChangesAtOnce = 5_000

const unbounded: SettleBounds = { maxTraces, skip: [], onPicked: () => undefined }

/** Settles up to 200 due traces in one transaction: three queries, and more where spans change. */
export async function settleDueTraces(
  db: Database,
  quietMs: number,
  bounds: SettleBounds = unbounded,
): Promise<Settled> {
  const emptied = new Map<string, EmptyAgent>()
  const settled = await db.tx(async (tx) => {
    const skipped = [bounds.skip.map((trace) => trace.workspace_id), bounds.skip.map((trace) => trace.trace_id)]
    const due = boundSpans(await tx.rows<Due>('ingest/list-due-traces', [quietMs, bounds.maxTraces, ...skipped]))
    const oldest = due[0]
    if (oldest === undefined) return { traces: 0, lagMs: 0 }
    bounds.onPicked(due)
    const small = due.filter((trace) => trace.span_count <= maxResolvedSpans)
    const spans = await tx.rows<SpanRow>('ingest/read-trace-spans', keysOf(small))
    const counts = makeSettledCounts()
    for (const agent of await applyChanges(tx, findChanges(spans, counts), counts)) emptied.set(agent.id, agent)
    await counts.append(tx)
    const settledTraces = await tx.run('ingest/settle-traces', keysOf(due))
    // Its spans were removed, and it with them: left as it is, it would stay due for ever.
    if (settledTraces < due.length) await tx.run('ingest/forget-empty-traces', keysOf(due))
    return { traces: due.length, lagMs: Math.max(0, oldest.quiet_ms - quietMs) }
  })
  if (emptied.size > 0) {
    const agents = [...emptied.values()]
    await db.run('ingest/forget-empty-agents', [agents.map((agent) => agent.workspace_id), agents.map(({ id }) => id)])
  }
  return settled
}

const keysOf = (traces: readonly TraceKey[]): [string[], Buffer[]] => [
  traces.map((trace) => trace.workspace_id),
  traces.map((trace) => trace.trace_id),
]

type EmptyAgent = { workspace_id: string; id: string }

/** The oldest, whatever its size, and as many after it as fit. */
function boundSpans(due: readonly Due[]): Due[] {
  let spans = 0
  return due.filter((trace, at) => {
    spans += trace.span_count
    return at === 0 || spans <= maxSpans
  })
}

type Change = { readonly span: SpanRow; readonly now: Resolved }

function findChanges(spans: readonly SpanRow[], counts: SettledCounts): Change[] {
  const changes: Change[] = []
  for (const trace of Map.groupBy(spans, (span) => `${span.workspace_id} ${span.trace_id}`).values()) {
    const resolved = resolve(
      trace.map((span) => ({
        spanId: span.span_id,
        parentSpanId: span.parent_span_id,
        startTimeUs: span.start_time_us,
        kind: span.kind,
        agentOwn: span.agent_own,
        agentFallback: span.agent_fallback,
        sessionOwn: span.session_own,
        userOwn: span.user_own,
        toolName: span.tool_name,
        toolCallId: span.tool_call_id,
        hasUsage: span.has_usage,
        endTimeUs: span.start_time_us + (span.duration_us ?? 0),
        scopeName: span.scope_name,
        model: span.model,
        responseId: span.response_id,
        inputTokens: span.input_tokens,
        outputTokens: span.output_tokens,
        isError: span.is_error,
        usageDetail: span.usage_detail,
      })),
    )
    const told = trace.flatMap((span, at) => {
      const now = resolved[at]
      return now === undefined ? [] : [{ span, now }]
    })
    const changed = told.filter(({ span, now }) => differs(span, now))
    if (changed.length > 0) counts.noteTrace(told)
    for (const change of changed) changes.push(change)
  }
  return changes
}

function differs(span: SpanRow, now: Resolved): boolean {
  return (
    span.agent_name !== now.agentName ||
    span.session_id !== now.sessionId ||
    span.user_id !== now.userId ||
    span.counted !== now.counted ||
    span.told_twice !== now.toldTwice
  )
}

/** Gives the agents that were left without spans. */
async function applyChanges(tx: Tx, changes: readonly Change[], counts: SettledCounts): Promise<EmptyAgent[]> {
  if (changes.length === 0) return []
  const named = new Map(
    changes.map(({ span, now }) => [
      `${span.workspace_id} ${now.agentName}`,
      [span.workspace_id, now.agentName] as const,
    ]),
  )
  await holdAgents(tx, [...named.values()])
  const emptied: EmptyAgent[] = []
  for (let from = 0; from < changes.length; from += maxChangesAtOnce) {
    const some = changes.slice(from, from + maxChangesAtOnce)
    const agents = await tx.rows<EmptyAgent & { events: number }>('ingest/settle-events', [
      some.map(({ span }) => span.workspace_id),
      some.map(({ span }) => span.start_time_us),
      some.map(({ span }) => span.trace_id),
      some.map(({ span }) => span.span_id),
      some.map(({ span }) => span.agent_id),
      some.map(({ now }) => now.agentName),
      some.map(({ now }) => now.sessionId),
      some.map(({ now }) => now.userId),
      some.map(({ now }) => now.counted),
      some.map(({ now }) => now.toldTwice),
    ])
    await counts.addChanges(tx, some)
    emptied.push(...agents.filter((agent) => agent.events <= 0))
  }
  return emptied
}

/**
 * An ancestor's agent exists, since the ancestor is stored; only one that was emptied meanwhile has to be made again. Held
 * until the commit, since another process may be about to remove one that it has just emptied.
 */
async function holdAgents(tx: Tx, named: readonly (readonly [workspaceId: string, name: string])[]): Promise<void> {
  const workspaces = named.map(([workspaceId]) => workspaceId)
  const names = named.map(([, name]) => name)
  for (;;) {
    await tx.run('ingest/insert-agents', [workspaces, named.map(() => makeUuidV7()), names])
    if ((await tx.run('ingest/lock-agents-named', [workspaces, names])) === named.length) return
  }
}
