// Calls that spans of several traces report. Each trace is settled separately and looks for such calls in the others. If the other trace
// was settled before without knowledge of this one, it is settled once more.
import {
  type CallPair,
  type CallVerdict,
  filterAlike,
  filterUntied,
  findAcrossTraces,
  keyOf,
  type TracedCall,
  traceKeyOf,
} from '../../resolve/across-traces.ts'
import type { Tx } from '../../store/database.ts'
import { readOutermost } from './outermost.ts'
import { differs, type SettledSpan, type SettledTrace } from './trace-span.ts'
import { type ElsewhereRow, listCalls, namedAgent, type OwnCall, toTracedCall } from './traced-calls.ts'

type Elsewhere = {
  readonly candidates: readonly CallPair[]
  /** The stored rows of calls in traces that are not being settled. */
  readonly others: ReadonlyMap<TracedCall, ElsewhereRow>
}

export type SettledAcross = {
  readonly traces: readonly SettledTrace[]
  /** Traces that have to wait, because another process holds a trace that has to be settled again with them. */
  readonly waiting: ReadonlySet<SettledTrace>
}

/**
 * Decides the calls that the given, separately resolved traces share with each other or with stored traces. Cost: no statement if no span is a
 * call, and one small statement if no workspace has calls of several scopes; otherwise one to three more, and one more for each further 1,000
 * calls. A new scope costs two.
 */
export async function settleAcross(tx: Tx, traces: readonly SettledTrace[]): Promise<SettledAcross> {
  const own = (await keepMixed(tx, traces)).flatMap(listCalls)
  const { candidates, others } = await findCandidates(tx, own, traces)
  const alike = filterAlike(candidates)
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

/** Returns the traces of workspaces with calls of several scopes: a single scope reports each call once. */
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

/** Bounds how long one statement takes, and how many rows it returns. */
const maxCallsAtOnce = 1_000

async function findCandidates(tx: Tx, own: readonly OwnCall[], traces: readonly SettledTrace[]): Promise<Elsewhere> {
  if (own.length === 0) return { candidates: [], others: new Map() }
  const rows: ElsewhereRow[] = []
  for (let from = 0; from < own.length; from += maxCallsAtOnce) {
    const some = own.slice(from, from + maxCallsAtOnce)
    const found = await tx.rows<ElsewhereRow>('ingest/find-calls-elsewhere', [
      some.map(({ call }) => call.workspaceId),
      some.map(({ call }) => call.traceId),
      some.map(({ call }) => call.startTimeUs),
      some.map(({ call }) => call.endTimeUs),
      some.map(({ call }) => call.responseId),
      some.map(({ call }) => call.scopeName),
      some.map(({ call }) => call.kind),
    ])
    for (const row of found) rows.push({ ...row, place: row.place + from })
  }
  const linked = linkRows(rows, own, traces, new Set())
  const outermost = await readOutermost(tx, listUntied(linked))
  return outermost.length === 0 ? linked : linkRows(rows, own, traces, new Set(outermost))
}

/** Stored calls that can match another call only if they are the outermost of their trace, which their rows do not show. */
const listUntied = ({ candidates, others }: Elsewhere): readonly ElsewhereRow[] => [
  ...new Set(filterUntied(candidates).flatMap(({ other }) => others.get(other) ?? [])),
]

/** `outermost`: rows that are known to be outermost although they are not roots. */
function linkRows(
  rows: readonly ElsewhereRow[],
  own: readonly OwnCall[],
  traces: readonly SettledTrace[],
  outermost: ReadonlySet<ElsewhereRow>,
): Elsewhere {
  const here = new Set(traces.map(traceKeyOf))
  const known = new Map(rows.length === 0 ? [] : own.map(({ call }) => [keyOf(call), call]))
  const others = new Map<TracedCall, ElsewhereRow>()
  const candidates = rows.flatMap((row) => {
    const isOutermost = row.parent_span_id === null || outermost.has(row)
    const agent = namedAgent(row.agent_name, row)
    const found = toTracedCall(row, { isOutermost, tellsTools: row.tells_tools, agent }, row.span_id)
    const key = keyOf(found)
    // In a trace that is being settled too, only its current calls are candidates.
    if (!known.has(key) && !here.has(traceKeyOf(found))) {
      known.set(key, found)
      others.set(found, row)
    }
    const [one, other] = [own[row.place - 1]?.call, known.get(key)]
    return one === undefined || other === undefined ? [] : [{ one, other }]
  })
  return { candidates, others }
}

/**
 * Returns the trace with the verdicts applied. Of the spans that report such a call, only the one that the verdict counts is counted. Those
 * that are not in `own` repeat it for their own scope, and are therefore not told twice.
 */
function decide(
  trace: SettledTrace,
  own: readonly OwnCall[],
  verdicts: ReadonlyMap<TracedCall, CallVerdict>,
): SettledTrace {
  const counting = new Map<SettledSpan, CallVerdict>()
  const calls = new Set(own.map(({ settled }) => settled))
  const told = new Map<number, CallVerdict>()
  for (const { call, settled } of own) {
    const verdict = verdicts.get(call)
    if (verdict === undefined) continue
    if (verdict.counted) counting.set(settled, verdict)
    told.set(settled.now.callAt, verdict)
  }
  if (told.size === 0) return trace
  return {
    ...trace,
    spans: trace.spans.map((settled) => {
      const verdict = told.get(settled.now.callAt)
      if (verdict === undefined) return settled
      const counted = counting.has(settled)
      const errorCarried = settled.span.is_error && verdict.hasFailed && !counted
      const toldTwice = settled.now.toldTwice || calls.has(settled)
      const agentName = counting.get(settled)?.agent ?? settled.now.agentName
      const reasoningTokens = (counted ? verdict.reasoningTokens : null) ?? settled.now.reasoningTokens
      return {
        span: settled.span,
        now: { ...settled.now, agentName, counted, toldTwice, errorCarried, reasoningTokens },
        inferredTools: verdict.infersTools ? settled.inferredTools : null,
      }
    }),
  }
}

type Found = {
  readonly own: readonly OwnCall[]
  readonly others: ReadonlyMap<TracedCall, ElsewhereRow>
  readonly alike: readonly CallPair[]
  readonly verdicts: ReadonlyMap<TracedCall, CallVerdict>
  readonly decided: ReadonlyMap<SettledTrace, SettledTrace>
}

/** A stored trace to settle again because a trace being settled, `by`, shares a call with it. */
type Reopening = { readonly call: TracedCall; readonly by: SettledTrace; readonly isChanging: boolean }

/**
 * Reopens stored traces that were settled without knowledge of these: those of a trace that changes, and those that received their last
 * spans before the trace being settled. A trace may not change because ingest already found its calls told twice. Without the order, two
 * traces that saw different neighbours could reopen each other forever. Returns the traces being settled that have to wait for a held one.
 */
async function reopenOthers(tx: Tx, { own, others, alike, verdicts, decided }: Found): Promise<Set<SettledTrace>> {
  const changing = new Set([...decided].flatMap(([trace, { spans }]) => (spans.some(differs) ? [trace] : [])))
  const traceOf = new Map(own.map(({ call, trace }) => [call, trace]))
  const wanted = new Map<string, Reopening>()
  for (const { one, other } of alike) {
    const by = traceOf.get(one)
    const state = others.get(other)
    if (by === undefined || state === undefined) continue
    const verdict = verdicts.get(other)
    const isStale = !state.told_twice || (verdict !== undefined && isOtherwise(state, verdict))
    if (isStale) wanted.set(`${traceKeyOf(other)} ${by.traceId}`, { call: other, by, isChanging: changing.has(by) })
  }
  if (wanted.size === 0) return new Set()
  const reopenings = [...wanted.values()]
  const held = await tx.rows<{ place: number }>('ingest/reopen-traces', [
    reopenings.map(({ call }) => call.workspaceId),
    reopenings.map(({ call }) => call.traceId),
    reopenings.map(({ by, isChanging }) => (isChanging ? null : by.traceId)),
  ])
  return new Set(held.flatMap(({ place }) => reopenings[place - 1]?.by ?? []))
}

const isOtherwise = (state: ElsewhereRow, verdict: CallVerdict): boolean =>
  verdict.counted !== state.counted ||
  (state.infers_tools && !verdict.infersTools) ||
  (verdict.agent !== null && verdict.agent !== state.agent_name)
