// Which spans of a trace count as calls: a call is often reported by several spans, around each other or side by side.
import type { Kind } from '../../event/event.ts'
import { findFinerAround, isWall, makeApart, markNestedReports, type Nested } from './nested-reports.ts'
import { isSameTool, listHostNames } from './same-tool.ts'
import { type CallSpan, findToldTwice, unitedReasoning } from './told-twice.ts'
import { findReportedTools, type SdkMark } from './tool-reports.ts'
import { fill, isWithin, type TraceTree } from './trace-tree.ts'

/** What finding calls needs of a span. */
export type CallInput = CallSpan & {
  readonly kind: Kind
  readonly toolName: string | null
  readonly toolCallId: string | null
  readonly sdkMark: SdkMark
  readonly hasUsage: boolean
}

/** Where a span lies among its ancestors and descendants of its own kind. No path crosses a tool or an agent span. */
const within = 1 // some descendant
const withUsageWithin = 2 // some descendant with usage
const underInnermost = 4 // an ancestor with usage, itself without a descendant with usage

/** Marks llm and embedding spans that lie in one another, children before parents and then back. */
function markNesting(
  spans: readonly CallInput[],
  order: readonly number[],
  parents: readonly number[],
  kind: Kind,
): number[] {
  const marks = fill(spans.length, 0)
  for (let at = order.length - 1; at >= 0; at--) {
    const index = order[at] ?? 0
    const parent = parents[index] ?? -1
    const span = spans[index]
    if (parent < 0 || span === undefined || isWall(span)) continue
    let up = (marks[index] ?? 0) & (within | withUsageWithin)
    if (span.kind === kind) up |= span.hasUsage ? within | withUsageWithin : within
    marks[parent] = (marks[parent] ?? 0) | up
  }
  for (const index of order) {
    const parent = parents[index] ?? -1
    const above = spans[parent]
    if (above === undefined || isWall(above)) continue
    const marksAbove = marks[parent] ?? 0
    const isInnermost = above.kind === kind && above.hasUsage && (marksAbove & withUsageWithin) === 0
    if (isInnermost || (marksAbove & underInnermost) !== 0) marks[index] = (marks[index] ?? 0) | underInnermost
  }
  return marks
}

/** Of nested calls of one kind, the innermost with usage counts; without any usage, the innermost. */
function isCountedCall(hasUsage: boolean, marks: number): boolean {
  if ((marks & withUsageWithin) !== 0) return false
  return hasUsage || (marks & (within | underInnermost)) === 0
}

/** The nearest tool span around each span, no llm or agent span between; -1 where there is none. */
function findToolsAround(spans: readonly CallInput[], order: readonly number[], parents: readonly number[]): number[] {
  const around = fill(spans.length, -1)
  for (const index of order) {
    const parent = parents[index] ?? -1
    const above = spans[parent]
    if (above === undefined || above.kind === 'agent' || above.kind === 'llm') continue
    around[index] = above.kind === 'tool' ? parent : (around[parent] ?? -1)
  }
  return around
}

/** The calls of a kind with no other of their kind inside that tells of the same. */
function listInnermost(spans: readonly CallInput[], of: Kind, marks: readonly number[]): number[] {
  const innermost: number[] = []
  for (let index = 0; index < spans.length; index++) {
    const { kind, hasUsage } = spans[index] as CallInput
    if (kind === of && isCountedCall(hasUsage, marks[index] ?? 0)) innermost.push(index)
  }
  return innermost
}

/** The split that the counted span lacks. It has the most parts with a price of their own, so that its cost stays as it is. */
function addReasoning(
  reasoning: Map<number, number>,
  place: number,
  counting: CallInput | undefined,
  other: CallInput | undefined,
): void {
  const tokens = unitedReasoning(counting, other)
  if (tokens !== null && tokens > (reasoning.get(place) ?? -1)) reasoning.set(place, tokens)
}

type Placed = { readonly counted: readonly number[]; readonly callAt: readonly number[] }

/** By the place of the counted span, what any other report of its call tells. `finer`: the spans that count in place of those inside of them. */
function uniteReasoning(
  spans: readonly CallInput[],
  { counted, callAt }: Placed,
  told: ReadonlyMap<number, number>,
  nested: readonly Nested[],
  finer: ReadonlyMap<number, number>,
  reasoning: Map<number, number>,
): void {
  for (const index of [...told.keys(), ...finer.keys()]) {
    const place = callAt[index] ?? -1
    if (place !== index) addReasoning(reasoning, place, spans[place], spans[index])
  }
  for (const { inner, outer } of nested) {
    const place = finer.get(inner) ?? inner
    // Another output is that of several calls.
    const isSameOutput = spans[inner]?.outputTokens === spans[outer]?.outputTokens
    if (counted[place] === 1 && isSameOutput) addReasoning(reasoning, place, spans[place], spans[outer])
  }
}

/** From the spans that counted so far to those that do in their place. */
function moveCalls(
  innermost: readonly number[],
  finer: ReadonlyMap<number, number>,
  counted: number[],
  callAt: number[],
): void {
  for (const index of innermost) callAt[index] = finer.get(callAt[index] ?? -1) ?? callAt[index] ?? -1
  for (const [before, place] of finer) {
    counted[before] = 0
    counted[place] = 1
    callAt[place] = place
  }
}

const isToldAround = (span: CallInput, around: CallInput | undefined): boolean =>
  around !== undefined && (span.toolName === null || isSameTool(span, around))

/** Whether the tool span around tells of the same call, and does not know its id. One scope that nests calls means each of them. */
const isToldBesideId = (span: CallInput, around: CallInput | undefined): boolean =>
  span.toolCallId !== null &&
  span.toolName !== null &&
  around !== undefined &&
  around.toolCallId === null &&
  around.scopeName !== span.scopeName &&
  isSameTool(span, around)

/**
 * By the place of a tool span, that of the span inside of it which counts for it: our SDK's, under a framework that reports the call as well. What
 * is served, held out and attested would not be counted otherwise. One that is merely attested does not take the place of one that alone
 * knows the id of the call.
 */
function findStandIns(
  spans: readonly CallInput[],
  order: readonly number[],
  toolsAround: readonly number[],
  isTold: (index: number) => boolean,
  bySeniority: (a: number, b: number) => number,
): ReadonlyMap<number, number> {
  const standIns = new Map<number, number>()
  if (!spans.some(({ sdkMark }) => sdkMark !== null)) return standIns
  for (const index of order.toReversed()) {
    const place = toolsAround[index] ?? -1
    const [span, outer] = [spans[index], spans[place]]
    if (span?.kind !== 'tool' || outer === undefined || outer.sdkMark !== null || !isTold(index)) continue
    const chosen = span.sdkMark === null ? standIns.get(index) : index
    const inner = spans[chosen ?? -1]
    if (chosen === undefined || inner === undefined) continue
    if (inner.sdkMark !== 'matched' && inner.toolCallId === null && outer.toolCallId !== null) continue
    const known = standIns.get(place)
    if (known === undefined || bySeniority(chosen, known) < 0) standIns.set(place, chosen)
  }
  return standIns
}

/**
 * A tool that several instrumentations report side by side, for each such span the one that counts: as of model calls, by its name. What lies
 * in one another was told apart before.
 */
function findToldTools(
  spans: readonly CallInput[],
  parents: readonly number[],
  tools: readonly number[],
  bySeniority: (a: number, b: number) => number,
): ReadonlyMap<number, number> {
  const named = tools.filter((index) => spans[index]?.toolName !== null && spans[index]?.scopeName !== null)
  const scope = spans[named[0] ?? -1]?.scopeName
  if (named.every((index) => spans[index]?.scopeName === scope)) return noneTold
  const calls: CallSpan[] = []
  const hostNameOf = listHostNames(spans, named)
  for (const index of named) calls[index] = asCall(spans[index] as CallInput, hostNameOf(index))
  const areNested = (one: number, other: number): boolean =>
    isWithin(parents, one, other) || isWithin(parents, other, one)
  return findToldTwice(calls, named, bySeniority, areNested)
}

const noneTold: ReadonlyMap<number, number> = new Map()

const asCall = (span: CallInput, toolName: string | null): CallSpan => ({
  startTimeUs: span.startTimeUs,
  endTimeUs: span.endTimeUs,
  scopeName: span.scopeName,
  model: toolName,
  cacheTokens: 0,
  responseId: span.toolCallId,
  inputTokens: null,
  outputTokens: null,
  isError: span.isError,
  reasoningTokens: null,
  usageDetail: (span.sdkMark === null ? 0 : 2) + (span.toolCallId === null ? 0 : 1),
})

export type Calls = {
  /** 1 for each span that counts as a call of its kind. */
  readonly counted: readonly number[]
  /** Of each model call, the place of the span that counts for it; -1 for all other spans. */
  readonly callAt: readonly number[]
  /** 1 for each span of a call that is told more than once. */
  readonly toldTwice: readonly number[]
  /** By the place of the counted span, the reasoning tokens of a call that is told more than once. */
  readonly reasoning: ReadonlyMap<number, number>
  /** By the place of each tool span whose call is reported side by side, by its id, or by our SDK inside of it, the place of the one that counts. */
  readonly toldTools: ReadonlyMap<number, number>
}

export function findCalls(
  spans: readonly CallInput[],
  { order, parents }: TraceTree,
  bySeniority: (a: number, b: number) => number,
): Calls {
  const counted = fill(spans.length, 0)
  const callAt = fill(spans.length, -1)
  const toldTwice = fill(spans.length, 0)
  const reasoning = new Map<number, number>()
  for (const kind of ['llm', 'embedding'] as const) {
    const marks = markNesting(spans, order, parents, kind)
    const isNested = marks.some((mark) => (mark & within) !== 0)
    const nested = isNested ? markNestedReports(spans, order, parents, kind, toldTwice) : []
    const innermost = listInnermost(spans, kind, marks)
    const told = findToldTwice(spans, innermost, bySeniority, makeApart(spans, nested, parents))
    for (const index of innermost) {
      const counting = told.get(index)
      if (counting !== undefined) toldTwice[index] = 1
      callAt[index] = counting ?? index
      counted[index] = callAt[index] === index ? 1 : 0
    }
    const finer = findFinerAround(spans, nested, callAt, bySeniority)
    if (finer.size > 0) moveCalls(innermost, finer, counted, callAt)
    if (told.size > 0 || nested.length > 0) uniteReasoning(spans, { counted, callAt }, told, nested, finer, reasoning)
  }
  const toolsAround = findToolsAround(spans, order, parents)
  const isToldWithoutId = (index: number): boolean => {
    const span = spans[index] as CallInput
    return span.toolCallId === null && isToldAround(span, spans[toolsAround[index] ?? -1])
  }
  // Of several frameworks that know the id of a call, the one with the span of our SDK inside has to be chosen.
  const known = findStandIns(spans, order, toolsAround, isToldWithoutId, bySeniority)
  const isMarked = (index: number): boolean => (spans[index]?.sdkMark ?? null) !== null || known.has(index)
  const reported = findReportedTools(spans, order, parents, bySeniority, isMarked)
  const isReported = (index: number): boolean => spans[index]?.toolCallId === null || reported.get(index) === index
  const isTold = (index: number): boolean =>
    isToldWithoutId(index) ||
    (reported.get(index) === index && isToldBesideId(spans[index] as CallInput, spans[toolsAround[index] ?? -1]))
  const standIns = findStandIns(spans, order, toolsAround, isTold, bySeniority)
  const tools: number[] = []
  for (let index = 0; index < spans.length; index++) {
    if (spans[index]?.kind !== 'tool' || !isReported(index) || isTold(index)) continue
    const counting = standIns.get(index) ?? index
    counted[counting] = 1
    tools.push(counting)
  }
  const toldTools = new Map(findToldTools(spans, parents, tools, bySeniority))
  for (const [index, counting] of toldTools) counted[index] = counting === index ? 1 : 0
  for (const [outer, inner] of standIns) toldTools.set(outer, toldTools.get(inner) ?? inner)
  for (const [index, place] of reported) if (index !== place) toldTools.set(index, toldTools.get(place) ?? place)
  return { counted, callAt, toldTwice, reasoning, toldTools }
}
