// Floor 3. Calls that spans of several traces report. Each trace is settled by itself and looks for the other one; where that was settled
// before, without knowing of this one, it is settled once more.
import {
  type Candidate,
  filterAlike,
  findAcrossTraces,
  type TracedCall,
  type Verdict,
} from '../../otlp/trace/across-traces.ts'
import type { Tx } from '../../store/database.ts'
import { differs, type SettledSpan, type SettledTrace, type SpanRow } from './trace-span.ts'

type ElsewhereRow = {
  place: number
  workspace_id: string
  trace_id: string
  span_id: string
  kind: string
  is_root: boolean
  agent_fallback: string
  start_time_us: number
  duration_us: number | null
  scope_name: string | null
  model: string | null
  response_id: string | null
  input_tokens: number | null
  output_tokens: number | null
  is_error: boolean
  usage_detail: number
  counted: boolean
  told_twice: boolean
}

/** A call of a trace that is being settled, with its span. */
type OwnCall = { readonly call: TracedCall; readonly trace: SettledTrace; readonly settled: SettledSpan }

/** A call of a trace that is not, with what is stored of it. */
type OtherCall = { readonly call: TracedCall; readonly counted: boolean; readonly toldTwice: boolean }

export type SettledAcross = {
  readonly traces: readonly SettledTrace[]
  /** Traces that have to wait, since another process holds one that has to be settled again with them. */
  readonly waiting: ReadonlySet<SettledTrace>
}

/**
 * Of the given traces as each is by itself. One small statement where each workspace has calls of one scope only, two more where not, and none
 * where no span is a call.
 */
export async function settleAcross(tx: Tx, traces: readonly SettledTrace[]): Promise<SettledAcross> {
  const own = (await keepMixed(tx, traces)).flatMap(listCalls)
  const others = new Map<string, OtherCall>()
  const alike = filterAlike(await findCandidates(tx, own, traces, others))
  if (alike.length === 0) return { traces, waiting: new Set() }
  const verdicts = findAcrossTraces(alike)
  const byTrace = Map.groupBy(own, ({ trace }) => trace)
  const decided = new Map(traces.map((trace) => [trace, decide(trace, byTrace.get(trace) ?? [], verdicts)]))
  const waiting = await reopenOthers(tx, { own, others, alike, verdicts, decided })
  return {
    traces: [...decided.values()],
    waiting: new Set([...waiting].flatMap((trace) => decided.get(trace) ?? [])),
  }
}

/** Spans of an unknown scope were stored by an older release. */
const listCalls = (trace: SettledTrace): OwnCall[] =>
  trace.spans.flatMap((settled) => {
    const { span, now } = settled
    if (now.callAt < 0 || span.scope_name === null) return []
    const call = {
      ...toCallSpan(span),
      workspaceId: span.workspace_id,
      traceId: span.trace_id,
      spanId: span.span_id,
      kind: span.kind,
      isRoot: span.parent_span_id === null,
      service: span.agent_fallback,
      callKey: String(now.callAt),
    }
    return [{ call, trace, settled }]
  })

/** Those of workspaces with calls of several scopes: one scope reports a call once. */
async function keepMixed(tx: Tx, traces: readonly SettledTrace[]): Promise<readonly SettledTrace[]> {
  const scopes = listScopes(traces)
  if (scopes.size === 0) return []
  const read = async () =>
    await tx.rows<{ workspace_id: string; call_scopes: string[] }>('ingest/read-call-scopes', [[...scopes.keys()]])
  let rows = await read()
  const added = rows
    .filter((row) => row.call_scopes.length < 2)
    .flatMap((row) =>
      [...(scopes.get(row.workspace_id) ?? [])]
        .filter((name) => !row.call_scopes.includes(name))
        .map((name) => ({ workspaceId: row.workspace_id, name })),
    )
  if (added.length > 0) {
    const names = added.map(({ name }) => name)
    await tx.run('ingest/add-call-scopes', [added.map(({ workspaceId }) => workspaceId), names])
    rows = await read()
  }
  const mixed = new Set(rows.filter((row) => row.call_scopes.length > 1).map((row) => row.workspace_id))
  return mixed.size === 0 ? [] : traces.filter(({ workspaceId }) => mixed.has(workspaceId))
}

/** The names of the scopes that report calls, by workspace. */
function listScopes(traces: readonly SettledTrace[]): ReadonlyMap<string, ReadonlySet<string>> {
  const scopes = new Map<string, Set<string>>()
  for (const { workspaceId, spans } of traces)
    for (const { span, now } of spans) {
      if (now.callAt < 0 || span.scope_name === null) continue
      const known = scopes.get(workspaceId)
      if (known === undefined) scopes.set(workspaceId, new Set([span.scope_name]))
      else known.add(span.scope_name)
    }
  return scopes
}

const keyOf = (row: Pick<ElsewhereRow, 'workspace_id' | 'trace_id' | 'span_id' | 'start_time_us'>): string =>
  `${row.workspace_id} ${row.trace_id} ${row.span_id} ${row.start_time_us}`

const traceKeyOf = ({ workspaceId, traceId }: { workspaceId: string; traceId: string }): string =>
  `${workspaceId} ${traceId}`

async function findCandidates(
  tx: Tx,
  own: readonly OwnCall[],
  traces: readonly SettledTrace[],
  others: Map<string, OtherCall>,
): Promise<Candidate[]> {
  if (own.length === 0) return []
  const rows = await tx.rows<ElsewhereRow>('ingest/find-calls-elsewhere', [
    own.map(({ call }) => call.workspaceId),
    own.map(({ call }) => call.traceId),
    own.map(({ call }) => call.startTimeUs),
    own.map(({ call }) => call.endTimeUs),
    own.map(({ call }) => call.responseId),
  ])
  if (rows.length === 0) return []
  const here = new Set(traces.map(traceKeyOf))
  const ownCalls = new Map(own.map(({ call, settled }) => [keyOf(settled.span), call]))
  return rows.flatMap((row) => {
    const one = own[row.place - 1]?.call
    // Of a trace that is being settled too, only what is a call there.
    const isHere = here.has(`${row.workspace_id} ${row.trace_id}`)
    const other = isHere ? ownCalls.get(keyOf(row)) : noteOther(others, row).call
    return one === undefined || other === undefined ? [] : [{ one, other }]
  })
}

type CallRow = Pick<ElsewhereRow, keyof ElsewhereRow & keyof SpanRow>

const toCallSpan = (row: CallRow) => ({
  startTimeUs: row.start_time_us,
  endTimeUs: row.start_time_us + (row.duration_us ?? 0),
  scopeName: row.scope_name,
  model: row.model,
  responseId: row.response_id,
  inputTokens: row.input_tokens,
  outputTokens: row.output_tokens,
  isError: row.is_error,
  usageDetail: row.usage_detail,
})

function noteOther(others: Map<string, OtherCall>, row: ElsewhereRow): OtherCall {
  const key = keyOf(row)
  const known = others.get(key)
  if (known !== undefined) return known
  const call = {
    ...toCallSpan(row),
    workspaceId: row.workspace_id,
    traceId: row.trace_id,
    spanId: row.span_id,
    kind: row.kind,
    isRoot: row.is_root,
    service: row.agent_fallback,
    callKey: row.span_id,
  }
  const other = { call, counted: row.counted, toldTwice: row.told_twice }
  others.set(key, other)
  return other
}

/** The trace with the verdicts. Another span of the trace that tells of such a call does not count. */
function decide(
  trace: SettledTrace,
  own: readonly OwnCall[],
  verdicts: ReadonlyMap<TracedCall, Verdict>,
): SettledTrace {
  const bySpan = new Map<SettledSpan, Verdict>()
  const told = new Map<number, Verdict>()
  for (const { call, settled } of own) {
    const verdict = verdicts.get(call)
    if (verdict === undefined) continue
    bySpan.set(settled, verdict)
    told.set(settled.now.callAt, verdict)
  }
  if (told.size === 0) return trace
  return {
    ...trace,
    spans: trace.spans.map((settled) => {
      const verdict = told.get(settled.now.callAt)
      if (verdict === undefined) return settled
      const counted = bySpan.get(settled)?.counted ?? false
      const errorCarried = settled.span.is_error && verdict.hasFailed && !counted
      return { span: settled.span, now: { ...settled.now, counted, toldTwice: true, errorCarried } }
    }),
  }
}

type Found = {
  readonly own: readonly OwnCall[]
  readonly others: ReadonlyMap<string, OtherCall>
  readonly alike: readonly Candidate[]
  readonly verdicts: ReadonlyMap<TracedCall, Verdict>
  readonly decided: ReadonlyMap<SettledTrace, SettledTrace>
}

/**
 * Traces that were settled without these are to be settled again. Only where something of ours changes: so two traces that saw different
 * neighbours cannot reopen each other for ever. Gives those of ours that have to wait for it.
 */
async function reopenOthers(tx: Tx, { own, others, alike, verdicts, decided }: Found): Promise<Set<SettledTrace>> {
  const stored = new Map([...others.values()].map((other) => [other.call, other]))
  const traceOf = new Map(own.map(({ call, trace }) => [call, trace]))
  const wanted = new Map<string, { readonly call: TracedCall; readonly by: SettledTrace[] }>()
  for (const { one, other } of alike) {
    const trace = traceOf.get(one)
    const state = stored.get(other)
    if (trace === undefined || state === undefined) continue
    const verdict = verdicts.get(other)
    const isStale = !state.toldTwice || (verdict !== undefined && verdict.counted !== state.counted)
    if (!isStale || !decided.get(trace)?.spans.some(differs)) continue
    const entry = wanted.get(traceKeyOf(other)) ?? { call: other, by: [] }
    entry.by.push(trace)
    wanted.set(traceKeyOf(other), entry)
  }
  if (wanted.size === 0) return new Set()
  const calls = [...wanted.values()].map(({ call }) => call)
  const held = await tx.rows<{ workspace_id: string; trace_id: string }>('ingest/reopen-traces', [
    calls.map(({ workspaceId }) => workspaceId),
    calls.map(({ traceId }) => traceId),
  ])
  return new Set(held.flatMap((row) => wanted.get(`${row.workspace_id} ${row.trace_id}`)?.by ?? []))
}
