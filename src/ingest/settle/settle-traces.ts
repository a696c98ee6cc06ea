// Settling: gives the spans of a trace their final meaning once the trace is complete. It runs for traces that have received no spans for
// a while, and again when late spans arrive. It is idempotent.
import { Outage } from '../../base/fault.ts'
import { makeUuidV7 } from '../../base/ids.ts'
import type { Flag } from '../../event/flag.ts'
import { writeTextArray } from '../../store/array-param.ts'
import type { Database, Tx } from '../../store/database.ts'
import { settleAcross } from './settle-across.ts'
import { makeSettledCounts, type SettledCounts } from './settled-counts.ts'
import { agentUnnamed } from './settled-scopes.ts'
import {
  type AgentKey,
  differs,
  listUnsettledAgents,
  resolveTraces,
  type SettledSpan,
  type SettledTrace,
  type StoredSpanRow,
  type TraceKey,
} from './trace-span.ts'

type Due = TraceKey & {
  readonly span_count: number
  readonly quiet_ms: number
  /** The transaction that inserted the trace. */
  readonly inserted_xid: string
}

export type Settled = {
  readonly traces: number
  /** By how long the oldest of the traces was settled after its due time. */
  readonly lagMs: number
}

export const nothingSettled: Settled = { traces: 0, lagMs: 0 }

export type SettleBounds = {
  readonly maxTraces: number
  /** Traces to skip in this call. */
  readonly skip: readonly TraceKey[]
  /** Called with the traces of this call before any of them is changed. */
  readonly onPicked: (traces: readonly TraceKey[]) => void
}

export const maxTraces = 200
// Limit of spans per call: they are resolved on this thread, which does nothing else meanwhile.
const maxSpans = 10_000
// A trace that stores more spans is really many traces under one id. It is neither resolved nor summed up again: each pass would hold it for
// seconds, and the groups of all workspaces that bring more spans of it would wait. It keeps what ingest stored and added up.
const maxResolvedSpans = 100_000
const maxChangesAtOnce = 5_000
// If the process freezes, the locks of this transaction are released after this time: several times what a settler needs between two
// statements.
const idleMs = 1_500
const idleMsASpan = 0.05

const unbounded: SettleBounds = { maxTraces, skip: [], onPicked: () => undefined }

/** Returns false only if a call of `settleDueTraces` would find nothing. */
export async function hasDueTraces(db: Database, quietMs: number): Promise<boolean> {
  const found = await db.row<{ due: boolean }>('ingest/has-due-traces', [quietMs])
  return found?.due === true
}

/**
 * Settles up to 200 due traces in one transaction: at most six statements and those of `settleAcross`, and more if spans change or a trace
 * is large.
 */
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
    if (oldest === undefined) return nothingSettled
    bounds.onPicked(due)
    const large = await findLarge(tx, due)
    const small = due.filter((trace) => !large.has(trace))
    const spanCount = small.reduce((sum, trace) => sum + Math.min(trace.span_count, maxResolvedSpans), 0)
    tx.send('ingest/limit-idle', [Math.round(idleMs + spanCount * idleMsASpan)])
    const given = [...keysOf(small), small.map((trace) => trace.inserted_xid)]
    const spans = await tx.rows<StoredSpanRow>('ingest/read-trace-spans', given)
    const { traces, waiting } = await settleAcross(tx, resolveTraces(small, spans))
    const counts = makeSettledCounts()
    const settling = traces.filter((trace) => !waiting.has(trace))
    const changes = findChanges(settling, counts)
    const keeping = listUnsettledAgents(settling)
    for (const agent of await applyChanges(tx, changes, keeping, counts)) emptied.set(agent.id, agent)
    await counts.append(tx)
    const done = withoutWaiting(small, waiting)
    const [same, others] = splitBySums(done, settling)
    const marked = [...same, ...large]
    if (marked.length > 0) await tx.run('ingest/mark-settled', keysOf(marked))
    const summed = others.length === 0 ? 0 : await tx.run('ingest/settle-traces', keysOf(others))
    // The spans of some traces were removed. Such a trace is deleted: otherwise it would stay due forever.
    if (summed < others.length) await tx.run('ingest/forget-empty-traces', keysOf(others))
    return { traces: done.length + large.size, lagMs: Math.max(0, oldest.quiet_ms - quietMs) }
  })
  if (emptied.size > 0) {
    const agents = [...emptied.values()]
    await db.run('ingest/forget-empty-agents', [agents.map((agent) => agent.workspace_id), agents.map(({ id }) => id)])
  }
  return settled
}

/** One statement if a trace has received more spans than are resolved: retention may have removed some of them since. */
async function findLarge(tx: Tx, due: readonly Due[]): Promise<ReadonlySet<Due>> {
  const suspects = due.filter((trace) => trace.span_count > maxResolvedSpans)
  if (suspects.length === 0) return new Set()
  const values = [...keysOf(suspects), maxResolvedSpans + 1]
  const stored = await tx.rows<{ spans: number }>('ingest/count-spans', values)
  return new Set(suspects.filter((_, at) => (stored[at]?.spans ?? 0) > maxResolvedSpans))
}

const textKeyOf = (trace: TraceKey): string => `${trace.workspace_id} ${trace.trace_id.toString('hex')}`

/** Usually returns all: a trace waits only if it shares a call with another trace. */
function withoutWaiting(due: readonly Due[], waiting: ReadonlySet<SettledTrace>): readonly Due[] {
  if (waiting.size === 0) return due
  const left = new Set([...waiting].map(({ workspaceId, traceId }) => `${workspaceId} ${traceId}`))
  return due.filter((trace) => !left.has(textKeyOf(trace)))
}

/**
 * Separates the traces whose sums are right as ingest stored them: one transaction stored all their spans, none of which was removed or is
 * changed now. To sum up a trace once more would cost as much as to resolve it.
 */
function splitBySums(due: readonly Due[], traces: readonly SettledTrace[]): [same: Due[], others: Due[]] {
  const spans = new Map(traces.map((trace) => [`${trace.workspaceId} ${trace.traceId}`, trace.spans]))
  const [same, others]: [Due[], Due[]] = [[], []]
  for (const trace of due) {
    const stored = spans.get(textKeyOf(trace)) ?? []
    const isSame = stored.length === trace.span_count && !stored.some((one) => one.span.is_later || differs(one))
    if (isSame && !isFailureCarriedAway(stored)) same.push(trace)
    else others.push(trace)
  }
  return [same, others]
}

/** True if spans failed and all of them repeat the failure of another span: the sum counts one failure nevertheless. */
const isFailureCarriedAway = (spans: readonly SettledSpan[]): boolean =>
  spans.some(({ span }) => span.is_error) && spans.every(({ span, now }) => !span.is_error || now.errorCarried)

const keysOf = (traces: readonly TraceKey[]): [string[], Buffer[]] => [
  traces.map((trace) => trace.workspace_id),
  traces.map((trace) => trace.trace_id),
]

type EmptyAgent = { workspace_id: string; id: string }

/** Returns the oldest trace, whatever its size, and the following ones as long as they fit. */
function boundSpans(due: readonly Due[]): Due[] {
  let spans = 0
  return due.filter((trace, at) => {
    spans += trace.span_count
    return at === 0 || spans <= maxSpans
  })
}

function findChanges(traces: readonly SettledTrace[], counts: SettledCounts): SettledSpan[] {
  const changes: SettledSpan[] = []
  for (const { spans } of traces) {
    const changed = spans.filter(differs)
    if (changed.length > 0) counts.noteTrace(spans)
    for (const change of changed) changes.push(change)
  }
  return changes
}

/** `keeping`: provisional agents that keep spans of a settled trace. Returns the agents that were left without spans. */
async function applyChanges(
  tx: Tx,
  changes: readonly SettledSpan[],
  keeping: readonly AgentKey[],
  counts: SettledCounts,
): Promise<EmptyAgent[]> {
  if (changes.length === 0 && keeping.length === 0) return []
  const named = new Map(
    changes.map(({ span, now }) => [
      `${span.workspace_id} ${now.agentName}`,
      [span.workspace_id, now.agentName] as const,
    ]),
  )
  if (named.size > 0) await lockAgents(tx, [...named.values()])
  if (changes.length > maxChangesAtOnce) await lockCounts(tx, changes, keeping)
  const emptied: EmptyAgent[] = []
  for (let from = 0; from === 0 || from < changes.length; from += maxChangesAtOnce) {
    const some = changes.slice(from, from + maxChangesAtOnce)
    const settled = from === 0 ? keeping : []
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
      some.map((change) => writeTextArray(listFlags(change))),
      some.map(({ now }) => now.reasoningTokens),
      some.map(({ inferredTools }) => inferredTools),
      some.map(agentUnnamed),
      settled.map(({ workspaceId }) => workspaceId),
      settled.map(({ id }) => id),
    ])
    await counts.addChanges(tx, some)
    emptied.push(...agents.filter((agent) => agent.events <= 0))
  }
  return emptied
}

/** Each slice locks its agents in the order of their keys, so before several slices those of all are locked. */
async function lockCounts(tx: Tx, changes: readonly SettledSpan[], keeping: readonly AgentKey[]): Promise<void> {
  const known = new Map(keeping.map((agent) => [agent.id, agent]))
  const named = new Map<string, { readonly workspaceId: string; readonly name: string }>()
  for (const { span, now } of changes) {
    if (span.agent_name === now.agentName) continue
    known.set(span.agent_id, { workspaceId: span.workspace_id, id: span.agent_id })
    named.set(`${span.workspace_id} ${now.agentName}`, { workspaceId: span.workspace_id, name: now.agentName })
  }
  await tx.run('ingest/lock-agent-counts', [
    [...known.values()].map(({ workspaceId }) => workspaceId),
    [...known.values()].map(({ id }) => id),
    [...named.values()].map(({ workspaceId }) => workspaceId),
    [...named.values()].map(({ name }) => name),
  ])
}

/** The flags that settling sets, and that it removes when they no longer apply. */
function listFlags({ now, inferredTools }: SettledSpan): Flag[] {
  const flags: Flag[] = []
  if (now.toldTwice) flags.push('told_twice')
  if (now.nestedCall) flags.push('nested_call')
  if (now.idRepeated) flags.push('id_repeated')
  if (inferredTools !== null) flags.push('tool_inferred')
  if (now.errorCarried) flags.push('error_carried')
  return flags
}

// Normally one try; more only if another process removes an agent at that very moment.
const maxAgentTries = 8

/**
 * Creates missing agents, and locks all until the commit, since another process may be about to remove one that it has just emptied. The
 * agent of a stored ancestor exists, unless it was emptied in the meantime; the fallback agent of a span whose ancestor is not stored may
 * not. Such agents take no slot of the agent cap: the lock of slots is taken before traces, which are held here. Throws Outage.
 */
async function lockAgents(tx: Tx, named: readonly (readonly [workspaceId: string, name: string])[]): Promise<void> {
  const workspaces = named.map(([workspaceId]) => workspaceId)
  const names = named.map(([, name]) => name)
  for (let tries = 1; tries <= maxAgentTries; tries++) {
    await tx.run('ingest/insert-agents', [workspaces, named.map(() => makeUuidV7()), names, named.map(() => true)])
    if ((await tx.run('ingest/lock-agents-named', [workspaces, names])) === named.length) return
  }
  throw new Outage('limit', 'the agents of the spans were removed each time they were added')
}
