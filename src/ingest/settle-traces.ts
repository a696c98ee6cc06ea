// Floor 3. Settling: what the spans of a trace mean once the trace is known. Done for traces that have been quiet for a while,
// and again when late spans arrive. Doing it twice changes nothing.
import { makeUuidV7 } from '../base/ids.ts'
import type { Kind } from '../otlp/event.ts'
import { responseKeyOf } from '../otlp/trace/repeated-calls.ts'
import { type Resolved, resolve } from '../otlp/trace/resolve.ts'
import type { Database, Tx } from '../store/database.ts'

type Due = { workspace_id: string; trace_id: Buffer; span_count: number; quiet_ms: number }

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
  has_usage: boolean
  duration_us: number | null
  response_id: string | null
  input_tokens: number | null
  output_tokens: number | null
  agent_name: string
  session_id: string | null
  user_id: string | null
  counted: boolean
}

export type Settled = {
  readonly traces: number
  /** How long after its due time the oldest of them was settled. */
  readonly lagMs: number
}

const maxTraces = 200
const maxSpans = 50_000

/** Settles up to 200 due traces in one transaction: three queries, and more where spans change. */
export async function settleDueTraces(db: Database, quietMs: number): Promise<Settled> {
  const emptied: EmptyAgent[] = []
  const settled = await db.tx(async (tx) => {
    const due = boundSpans(await tx.rows<Due>('ingest/list-due-traces', [quietMs, maxTraces]))
    const oldest = due[0]
    if (oldest === undefined) return { traces: 0, lagMs: 0 }
    const workspaces = due.map((trace) => trace.workspace_id)
    const traces = due.map((trace) => trace.trace_id)
    const spans = await tx.rows<SpanRow>('ingest/read-trace-spans', [workspaces, traces])
    emptied.push(...(await applyChanges(tx, findChanges(spans))))
    await tx.run('ingest/settle-traces', [workspaces, traces])
    return { traces: due.length, lagMs: Math.max(0, oldest.quiet_ms - quietMs) }
  })
  if (emptied.length > 0) {
    const ids = [emptied.map((agent) => agent.workspace_id), emptied.map((agent) => agent.id)]
    await db.run('ingest/forget-empty-agents', ids)
  }
  return settled
}

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

function findChanges(spans: readonly SpanRow[]): Change[] {
  const changes: Change[] = []
  for (const trace of Map.groupBy(spans, (span) => `${span.workspace_id} ${span.trace_id}`).values()) {
    const resolved = resolve(
      trace.map((span) => ({
        spanId: span.span_id,
        parentSpanId: span.parent_span_id,
        startTimeUs: BigInt(span.start_time_us),
        kind: span.kind,
        agentOwn: span.agent_own,
        agentFallback: span.agent_fallback,
        sessionOwn: span.session_own,
        userOwn: span.user_own,
        toolName: span.tool_name,
        toolCallId: span.tool_call_id,
        hasUsage: span.has_usage,
        endTimeUs: BigInt(span.start_time_us + (span.duration_us ?? 0)),
        responseKey: responseKeyOf(span.response_id, span.input_tokens, span.output_tokens),
      })),
    )
    for (const [at, span] of trace.entries()) {
      const now = resolved[at]
      if (now !== undefined && differs(span, now)) changes.push({ span, now })
    }
  }
  return changes
}

function differs(span: SpanRow, now: Resolved): boolean {
  return (
    span.agent_name !== now.agentName ||
    span.session_id !== now.sessionId ||
    span.user_id !== now.userId ||
    span.counted !== now.counted
  )
}

/** Gives the agents that were left without spans. */
async function applyChanges(tx: Tx, changes: readonly Change[]): Promise<EmptyAgent[]> {
  if (changes.length === 0) return []
  const named = new Map(
    changes.map(({ span, now }) => [
      `${span.workspace_id} ${now.agentName}`,
      [span.workspace_id, now.agentName] as const,
    ]),
  )
  // An ancestor's agent exists, since the ancestor is stored; only one that was emptied meanwhile has to be made again.
  await tx.run('ingest/insert-agents', [
    [...named.values()].map(([workspaceId]) => workspaceId),
    [...named.values()].map(() => makeUuidV7()),
    [...named.values()].map(([, name]) => name),
  ])
  const agents = await tx.rows<{ workspace_id: string; id: string; events: number }>('ingest/settle-events', [
    changes.map(({ span }) => span.workspace_id),
    changes.map(({ span }) => span.start_time_us),
    changes.map(({ span }) => span.trace_id),
    changes.map(({ span }) => span.span_id),
    changes.map(({ span }) => span.agent_id),
    changes.map(({ now }) => now.agentName),
    changes.map(({ now }) => now.sessionId),
    changes.map(({ now }) => now.userId),
    changes.map(({ now }) => now.counted),
  ])
  return agents.filter((agent) => agent.events <= 0)
}
