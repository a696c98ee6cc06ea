// Floor 1. Tools that a model asked for and whose calls no span of the trace reports: many instrumentations report calls of models alone.
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
 * ids: those of one of them are taken. `resolved`: of each span, in the same order. Cost: one look a span in a trace without requests, else two sorts of them.
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

/** Each request once, on the span that counts for its call; on a span around the call where only that one tells it. */
function listRequests(trace: Trace): Open[] {
  const { spans, parents, order, bySeniority } = trace
  const asking = order.filter((index) => (spans[index]?.toolRequests.length ?? 0) > 0)
  const calls = asking.filter((index) => callOf(trace, index) >= 0).sort(bySeniority)
  // Children before parents.
  const around = asking.filter((index) => callOf(trace, index) < 0).reverse()
  const ids = new Set<string>()
  // Calls whose requests are listed, and the spans around them.
  const told = new Set<number>()
  const requests: Open[] = []
  const take = (index: number, span: number): void => {
    if (told.has(span)) return
    for (const request of spans[index]?.toolRequests ?? []) {
      if (request.id !== null && ids.has(request.id)) continue
      if (request.id !== null) ids.add(request.id)
      requests.push({ ...request, span })
    }
    told.add(span)
    for (let at = parents[index] ?? -1; isWithinCall(spans[at]) && !told.has(at); at = parents[at] ?? -1) told.add(at)
  }
  for (const index of calls) take(index, callOf(trace, index))
  for (const index of around) take(index, index)
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
  const byId = new Map(tools.map((index) => [spans[index]?.toolCallId ?? null, index]))
  const withoutId = requests.filter(({ id }) => id === null || !claim(byId.get(id)))
  const byName = Map.groupBy(left(), (index) => spans[index]?.toolName ?? null)
  for (const queue of byName.values()) queue.reverse()
  const withoutName = withoutId.filter(({ name }) => !claim(byName.get(name)?.pop()))
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
