// Tools that a model asked for and whose calls no span of the trace reports: many instrumentations report calls of models alone.
import type { ToolRequest } from '../../event/event.ts'
import { type TreeSpan, walkTree } from './trace-tree.ts'

/** What finding them needs of a span. */
export type ToolSpan = TreeSpan & {
  readonly endTimeUs: number
  readonly kind: string
  readonly toolName: string | null
  readonly toolCallId: string | null
  readonly toolRequests: readonly ToolRequest[]
}

/** What resolving found of each span. */
export type ResolvedCall = {
  readonly counted: boolean
  /** Of each model call, the place of the span that counts for it; -1 for all other spans. */
  readonly callAt: number
}

type Trace = {
  readonly spans: readonly ToolSpan[]
  readonly resolved: readonly ResolvedCall[]
  readonly parents: readonly number[]
  /** All places, parents before children. */
  readonly order: readonly number[]
  readonly bySeniority: (a: number, b: number) => number
}

function openTrace(spans: readonly ToolSpan[], resolved: readonly ResolvedCall[]): Trace {
  const { parents, order, depths, compareAge } = walkTree(spans)
  return { spans, resolved, parents, order, bySeniority: (a, b) => compareAge(a, b, depths) }
}

const callOf = ({ resolved }: Trace, index: number): number => resolved[index]?.callAt ?? -1

/** A request, and the span that it is shown on. */
type Open = ToolRequest & { readonly span: number }

/**
 * The names of the inferred calls, by the place of the span that asks. A request is reported by the tool span with its id; else by one of its
 * name, each span for one request; else by a tool span that begins between the end of the call that asks and the next call of a model: some
 * frameworks give a handoff another name. Several spans that report one call repeat its requests, sometimes with other
 * ids: those of one of them are taken. A span that ran before the call is no report. `resolved`: of each span, in the same order. Cost: one look a span in a trace without requests, else two sorts of them.
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

/** Spans inside of a call, between it and one that says the same. */
const maxNesting = 64

/** Each request once, on the span that counts for its call; on a span around the call or inside of it where only that one tells it. */
function listRequests(trace: Trace): Open[] {
  const { spans, parents, order, bySeniority } = trace
  const asking = order.filter((index) => (spans[index]?.toolRequests.length ?? 0) > 0)
  const calls = asking.filter((index) => callOf(trace, index) >= 0).sort(bySeniority)
  // Children before parents.
  const around = asking.filter((index) => callOf(trace, index) < 0).reverse()
  // Spans whose requests are taken, and those around them.
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

/** Beyond a tool or an agent lie other calls. */
const isWithinCall = (span: ToolSpan | undefined): boolean =>
  span !== undefined && span.kind !== 'tool' && span.kind !== 'agent'

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
  // The oldest stands last in each queue.
  const queue = (among: readonly number[], nameOf: (tool: ToolSpan) => string | null): Map<string | null, number[]> =>
    Map.groupBy(among.toReversed(), (index) => nameOf(spans[index] as ToolSpan))
  const byId = queue(tools, ({ toolCallId }) => toolCallId)
  const withoutId = requests.filter(({ id }) => id === null || !claim(byId.get(id)?.pop()))
  const byName = queue(left(), ({ toolName }) => toolName)
  const withoutName = withoutId.filter(({ name, span }) => {
    const named = byName.get(name) ?? []
    const askedUs = (spans[span] as ToolSpan).startTimeUs
    // What ran before was asked for by nobody here: later requests cannot have asked for it either.
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

/** The place of the first time that is not before `time`. */
function firstFrom(sorted: readonly number[], time: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const half = (low + high) >>> 1
    if ((sorted[half] as number) < time) low = half + 1
    else high = half
  }
  return low
}
