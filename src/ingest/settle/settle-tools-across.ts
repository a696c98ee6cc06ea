// Floor 3. Tools that a model asks for in one trace and that another trace reports. The trace that asks looks for the report; where it was
// settled before the report came, it is settled once more.
import { parseToolNames, parseToolRequests, writeToolNames } from '../../event/tool-lines.ts'
import {
  type AskingCall,
  isAskedTool,
  type ToolElsewhere,
  withoutElsewhere,
} from '../../otlp/trace/tools-across-traces.ts'
import type { Tx } from '../../store/database.ts'
import type { SettledAcross } from './settle-across.ts'
import type { SettledSpan, SettledTrace } from './trace-span.ts'

type ToolTraces = { workspace_id: string; infers_tools: boolean; reports_tools_alone: boolean }

type ToolRow = {
  place: number
  trace_id: string
  span_id: string
  scope_name: string | null
  tool_name: string
  tool_call_id: string | null
  start_time_us: number
}

type AskingRow = {
  place: number
  workspace_id: string
  trace_id: string
  scope_name: string | null
  inferred_tools: string
}

type Placed = { readonly trace: SettledTrace; readonly settled: SettledSpan }

/** Spans of one trace that are looked up: where a trace has more, something is around its calls, and tells their tools. */
const maxLookUps = 32

/**
 * Of traces that are settled as far as calls of models go. One small statement where a trace infers tools or has nothing but tools, and one
 * or two more in workspaces with traces of both kinds.
 */
export async function settleToolsAcross(tx: Tx, { traces, waiting }: SettledAcross): Promise<SettledAcross> {
  const asking = traces.filter(infersTools)
  const alone = traces.filter(reportsToolsAlone)
  const mixed = await findMixed(tx, asking, alone)
  if (mixed.size === 0) return { traces, waiting }
  const isMixed = ({ workspaceId }: SettledTrace): boolean => mixed.has(workspaceId)
  const told = await findReports(tx, asking.filter(isMixed).flatMap(listAsking))
  const held = await reopenAsking(tx, alone.filter(isMixed).flatMap(listTools))
  const settle = (trace: SettledTrace): SettledTrace => (told.size === 0 ? trace : withReports(trace, told))
  const settled = new Map(traces.map((trace) => [trace, settle(trace)]))
  const isWaiting = (trace: SettledTrace): boolean => waiting.has(trace) || held.has(trace)
  return {
    traces: [...settled.values()],
    waiting: new Set([...settled].flatMap(([trace, now]) => (isWaiting(trace) ? [now] : []))),
  }
}

const infersTools = ({ spans }: SettledTrace): boolean => spans.some(({ inferredTools }) => inferredTools !== null)

const isReport = ({ span, now }: SettledSpan): boolean => span.kind === 'tool' && now.counted && span.tool_name !== null

const reportsToolsAlone = ({ spans }: SettledTrace): boolean =>
  spans.some(isReport) && !spans.some(({ span }) => span.kind === 'llm')

const listAsking = (trace: SettledTrace): Placed[] =>
  trace.spans
    .filter(({ inferredTools }) => inferredTools !== null)
    .slice(0, maxLookUps)
    .map((settled) => ({ trace, settled }))

const listTools = (trace: SettledTrace): Placed[] =>
  trace.spans
    .filter(isReport)
    .slice(0, maxLookUps)
    .map((settled) => ({ trace, settled }))

/** Workspaces with traces of both kinds. */
async function findMixed(
  tx: Tx,
  asking: readonly SettledTrace[],
  alone: readonly SettledTrace[],
): Promise<ReadonlySet<string>> {
  const all = [...asking, ...alone]
  if (all.length === 0) return new Set()
  const ids = [...new Set(all.map(({ workspaceId }) => workspaceId))]
  const infers = new Set(asking.map(({ workspaceId }) => workspaceId))
  const reports = new Set(alone.map(({ workspaceId }) => workspaceId))
  const known = await tx.rows<ToolTraces>('ingest/read-tool-traces', [ids])
  const isNew = (row: ToolTraces): boolean =>
    (infers.has(row.workspace_id) && !row.infers_tools) || (reports.has(row.workspace_id) && !row.reports_tools_alone)
  const open = known.filter(isNew).map((row) => row.workspace_id)
  const noted =
    open.length === 0
      ? []
      : await tx.rows<ToolTraces>('ingest/note-tool-traces', [
          open,
          open.map((id) => infers.has(id)),
          open.map((id) => reports.has(id)),
        ])
  const mixed = [...known, ...noted].filter((row) => row.infers_tools && row.reports_tools_alone)
  return new Set(mixed.map((row) => row.workspace_id))
}

/** By the asking span, the names that are left to infer. */
async function findReports(tx: Tx, asking: readonly Placed[]): Promise<ReadonlyMap<SettledSpan, string | null>> {
  if (asking.length === 0) return new Map()
  const rows = await tx.rows<ToolRow>('ingest/find-tools-elsewhere', [
    asking.map(({ trace }) => trace.workspaceId),
    asking.map(({ trace }) => trace.traceId),
    asking.map(({ settled }) => settled.span.start_time_us),
    asking.map(({ settled: { span } }) => span.start_time_us + (span.duration_us ?? 0)),
    asking.map(({ settled }) => settled.span.agent_fallback),
  ])
  if (rows.length === 0) return new Map()
  const spans = new Map<string, ToolElsewhere>()
  const near = Map.groupBy(rows, ({ place }) => place - 1)
  const found = new Map<SettledSpan, string | null>()
  // Each trace by itself: it comes to the same whatever it is settled with.
  for (const places of Map.groupBy(asking.keys(), (place) => asking[place]?.trace).values()) {
    const calls = places.map((place) => toAskingCall((asking[place] as Placed).settled))
    const elsewhere = places.map((place) => (near.get(place) ?? []).map((row) => toToolElsewhere(row, spans)))
    for (const [nth, names] of withoutElsewhere(calls, elsewhere).entries()) {
      const { settled } = asking[places[nth] ?? -1] as Placed
      if (names.length < (calls[nth]?.names.length ?? 0)) found.set(settled, writeToolNames(names))
    }
  }
  return found
}

function toAskingCall({ span, inferredTools }: SettledSpan): AskingCall {
  const requests = parseToolRequests(span.tool_requests)
  return {
    startTimeUs: span.start_time_us,
    scopeName: span.scope_name,
    names: parseToolNames(inferredTools),
    idsOf: (asked) => requests.filter(({ name }) => name === asked).map(({ id }) => id),
  }
}

function toToolElsewhere(row: ToolRow, known: Map<string, ToolElsewhere>): ToolElsewhere {
  const key = `${row.trace_id} ${row.span_id} ${row.start_time_us}`
  const tool = known.get(key) ?? {
    startTimeUs: row.start_time_us,
    scopeName: row.scope_name,
    toolName: row.tool_name,
    toolCallId: row.tool_call_id,
  }
  known.set(key, tool)
  return tool
}

const withReports = (trace: SettledTrace, told: ReadonlyMap<SettledSpan, string | null>): SettledTrace =>
  trace.spans.some((settled) => told.has(settled))
    ? {
        ...trace,
        spans: trace.spans.map((settled) => {
          const inferredTools = told.get(settled)
          return inferredTools === undefined ? settled : { ...settled, inferredTools }
        }),
      }
    : trace

/** Lets settled traces that ask for these tools be settled again. Gives the traces that have to wait for that. */
async function reopenAsking(tx: Tx, tools: readonly Placed[]): Promise<ReadonlySet<SettledTrace>> {
  if (tools.length === 0) return new Set()
  const rows = await tx.rows<AskingRow>('ingest/find-asking-calls', [
    tools.map(({ trace }) => trace.workspaceId),
    tools.map(({ trace }) => trace.traceId),
    tools.map(({ settled }) => settled.span.start_time_us),
    tools.map(({ settled }) => settled.span.agent_fallback),
  ])
  const wanted = rows.filter((row) => {
    const span = tools[row.place - 1]?.settled.span
    const tool = { scopeName: span?.scope_name ?? null, toolName: span?.tool_name ?? '' }
    return parseToolNames(row.inferred_tools).some((name) => isAskedTool({ scopeName: row.scope_name }, name, tool))
  })
  if (wanted.length === 0) return new Set()
  const held = await tx.rows<{ workspace_id: string; trace_id: string }>('ingest/reopen-traces', [
    wanted.map((row) => row.workspace_id),
    wanted.map((row) => row.trace_id),
  ])
  const isHeld = (row: AskingRow): boolean =>
    held.some((one) => one.workspace_id === row.workspace_id && one.trace_id === row.trace_id)
  return new Set(wanted.filter(isHeld).flatMap((row) => tools[row.place - 1]?.trace ?? []))
}
