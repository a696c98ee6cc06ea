// Infers calls of tools that a model asked for and that no span of the trace reports: many instrumentations report only model calls.
import type { ToolRequest } from '../event/event.ts'
import { firstFrom, type TreeSpan, walkTree } from './trace-tree.ts'

/** The fields of a span that the search needs. */
export type ToolSpan = TreeSpan & {
  readonly endTimeUs: number
  readonly kind: string
  readonly toolName: string | null
  /** The id of the call; on a span of kind `other`, of one whose tool the agent did not run. */
  readonly toolCallId: string | null
  readonly toolRequests: readonly ToolRequest[]
}

/** The part of the result of `resolve` that the search needs. */
export type ResolvedCall = {
  readonly counted: boolean
  /** For each span that reports a model call, the index of the span that counts for this call; -1 for all other spans. */
  readonly callAt: number
}

type Trace = {
  readonly spans: readonly ToolSpan[]
  readonly resolved: readonly ResolvedCall[]
  readonly parents: readonly number[]
  /** All indices, parents before children. */
  readonly order: readonly number[]
  readonly bySeniority: (a: number, b: number) => number
}

function openTrace(spans: readonly ToolSpan[], resolved: readonly ResolvedCall[]): Trace {
  const { parents, order, depths, compareAge } = walkTree(spans)
  return { spans, resolved, parents, order, bySeniority: (a, b) => compareAge(a, b, depths) }
}

const callOf = ({ resolved }: Trace, index: number): number => resolved[index]?.callAt ?? -1

/** A request, and the index of the span that it is shown on. */
type Open = ToolRequest & { readonly span: number }

/**
 * Returns the names of the inferred calls, by the index of the model call that asks for them. A request is not inferred if a counted tool
 * span, or a span of a call that was not run, reports it. Each span reports at most one request, matched in this order:
 *
 * 1. A span with the id of the request that did not begin before the model call. Some frameworks number their calls anew in each answer: a
 *    span reports the last request with its id, if possible one that asks for its tool.
 * 2. A tool span with the id of the request: the clocks of two processes may differ.
 * 3. A tool span with its name that did not begin before the model call.
 * 4. A tool span between the end of the model call and the start of the next one: some frameworks report a handoff under another name.
 *
 * If several spans report one model call, they repeat its requests, sometimes with other ids: the requests of only one of them are used.
 *
 * `resolved`: one entry for each span, in the same order. Cost: a check of each span if there are no requests, else two sorts of the spans.
 */
export function findInferredTools(
  spans: readonly ToolSpan[],
  resolved: readonly ResolvedCall[],
): ReadonlyMap<number, readonly string[]> {
  if (!spans.some(({ toolRequests }) => toolRequests.length > 0)) return noTools
  const trace = openTrace(spans, resolved)
  const open = withoutReported(trace, listRequests(trace))
  const inferred = new Map<number, string[]>()
  for (const { span, name } of open) {
    const names = inferred.get(span)
    if (names === undefined) inferred.set(span, [name])
    else names.push(name)
  }
  return inferred
}

const noTools: ReadonlyMap<number, readonly string[]> = new Map()

/** The most steps up from a span with requests to a call around it that repeats them. */
const maxNesting = 64

/**
 * Returns each request once, with the span that counts for its call. If only a span around or inside the call reports the request, it is
 * returned with that span.
 */
function listRequests(trace: Trace): Open[] {
  const { spans, parents, order, bySeniority } = trace
  const asking = order.filter((index) => (spans[index]?.toolRequests.length ?? 0) > 0)
  const calls = asking.filter((index) => callOf(trace, index) >= 0).sort(bySeniority)
  // Children before parents.
  const around = asking.filter((index) => callOf(trace, index) < 0).reverse()
  // Spans whose requests are taken, and the spans around them.
  const taken = new Set<number>()
  const outside = new Set<number>()
  const requests: Open[] = []
  const take = (index: number, span: number): void => {
    for (const request of spans[index]?.toolRequests ?? []) requests.push({ ...request, span })
    taken.add(span)
  }
  const markAround = (index: number): void => {
    for (let at = parents[index] ?? -1; isWithinCall(spans[at]) && !outside.has(at); at = parents[at] ?? -1)
      outside.add(at)
  }
  const isInside = (index: number): boolean => {
    let at = parents[index] ?? -1
    for (let step = 0; step < maxNesting && isWithinCall(spans[at]); step++) {
      if (taken.has(at)) return true
      at = parents[at] ?? -1
    }
    return false
  }
  for (const index of calls) if (!taken.has(callOf(trace, index))) take(index, callOf(trace, index))
  // A span around any report of a call repeats the requests of the call.
  for (const index of order) if (taken.has(callOf(trace, index))) markAround(index)
  for (const index of around) {
    if (outside.has(index) || isInside(index)) continue
    take(index, index)
    markAround(index)
  }
  return requests
}

/** False for tool and agent spans: the spans beyond them belong to other calls. */
const isWithinCall = (span: ToolSpan | undefined): boolean =>
  span !== undefined && span.kind !== 'tool' && span.kind !== 'agent'

/** Whether a span reports a call of a tool that the agent did not run: the provider ran it, or nobody did. */
const isNotRun = ({ kind, toolCallId }: ToolSpan): boolean => kind === 'other' && toolCallId !== null

/** Of the open requests with one id, the most that are compared by name. */
const mostOfId = 64

/**
 * Returns the spans that report requests by their id, of `among`, the oldest first. Each reports the last open request before it that asks
 * for its tool, or else the last one.
 */
function matchById({ spans }: Trace, requests: readonly Open[], among: readonly number[]): ReadonlyMap<Open, number> {
  const startOf = (index: number): number => (spans[index] as ToolSpan).startTimeUs
  // Of two requests of one answer, the first is the last of its queue, which is taken first.
  const asked = requests.toReversed().sort((a, b) => startOf(a.span) - startOf(b.span))
  const open = new Map<string | null, Open[]>()
  const reports = new Map<Open, number>()
  let next = 0
  for (const index of among) {
    for (let one = asked[next]; one !== undefined && startOf(one.span) <= startOf(index); one = asked[++next]) {
      const ofId = open.get(one.id)
      if (ofId === undefined) open.set(one.id, [one])
      else ofId.push(one)
    }
    const { toolCallId, toolName } = spans[index] as ToolSpan
    const ofId = toolCallId === null ? [] : (open.get(toolCallId) ?? [])
    const recent = ofId.slice(-mostOfId)
    const named = recent.findLastIndex(({ name }) => name === toolName)
    const [request] = ofId.splice(named < 0 ? -1 : named - recent.length, 1)
    if (request !== undefined) reports.set(request, index)
  }
  return reports
}

function withoutReported(trace: Trace, requests: readonly Open[]): readonly Open[] {
  const { spans, resolved, order, bySeniority } = trace
  const tools = order.filter((index) => spans[index]?.kind === 'tool' && resolved[index]?.counted).sort(bySeniority)
  const claimed = new Set<number>()
  const claim = (tool: number | undefined): boolean => {
    if (tool === undefined) return false
    claimed.add(tool)
    return true
  }
  const left = (): number[] => tools.filter((index) => !claimed.has(index))
  // The oldest span is the last of its queue, so that `pop` returns it.
  const queue = (among: readonly number[], nameOf: (tool: ToolSpan) => string | null): Map<string | null, number[]> =>
    Map.groupBy(among.toReversed(), (index) => nameOf(spans[index] as ToolSpan))
  const withId = order.filter((index) => isNotRun(spans[index] as ToolSpan)).concat(tools)
  const reports = matchById(trace, requests, withId.sort(bySeniority))
  for (const index of reports.values()) claim(index)
  const byId = queue(left(), ({ toolCallId }) => toolCallId)
  const withoutId = requests.filter(
    (request) => !reports.has(request) && (request.id === null || !claim(byId.get(request.id)?.pop())),
  )
  const byName = queue(left(), ({ toolName }) => toolName)
  const withoutName = withoutId.filter(({ name, span }) => {
    const named = byName.get(name) ?? []
    const askedUs = (spans[span] as ToolSpan).startTimeUs
    // This request did not cause a tool span that began before it, and neither did any later request.
    while ((spans[named.at(-1) ?? -1]?.startTimeUs ?? askedUs) < askedUs) named.pop()
    return !claim(named.pop())
  })
  const others = left()
  if (withoutName.length === 0 || others.length === 0) return withoutName
  const starts = others.map((index) => (spans[index] as ToolSpan).startTimeUs)
  const callStarts = listCallStarts(trace)
  return withoutName.filter(({ span }) => {
    const endUs = (spans[span] as ToolSpan).endTimeUs
    const nextUs = callStarts[firstFrom(callStarts, endUs)] ?? Number.POSITIVE_INFINITY
    let at = firstFrom(starts, endUs)
    while (claimed.has(others[at] ?? -1)) at++
    return (starts[at] ?? Number.POSITIVE_INFINITY) > nextUs || !claim(others[at])
  })
}

const listCallStarts = (trace: Trace): number[] =>
  trace.spans
    .flatMap(({ startTimeUs }, index) => (callOf(trace, index) >= 0 ? [startTimeUs] : []))
    .sort((a, b) => a - b)
