// Decides which spans of a trace count as calls: several spans, nested or side by side, often report the same call.
import type { Kind } from '../event/event.ts'
import type { CallSpan } from './call-span.ts'
import { findToldTurns } from './claude-turns.ts'
import { findFetchedAgain } from './fetched-again.ts'
import { placeBesideFailed } from './later-attempts.ts'
import { findFinerAround, findNearestAround, makeApart, markNestedReports, type Nested } from './nested-reports.ts'
import { hasNested, isCountedCall, markNesting } from './nesting.ts'
import { countRenamed } from './renamed-responses.ts'
import { listHostNames } from './same-tool.ts'
import { findSeparateCalls } from './separate-calls.ts'
import { findDuplicateReports } from './told-twice.ts'
import { findReportedTools, type SdkMark } from './tool-reports.ts'
import { findStandIns, findToolsAround, isToldAround, isToldBesideId } from './tool-stand-ins.ts'
import { fill, isWithin, type TraceTree } from './trace-tree.ts'
import { unitedReasoning } from './usage-detail.ts'

/** The fields of a span that the search for calls needs. */
export type CallInput = CallSpan & {
  readonly toolName: string | null
  readonly toolCallId: string | null
  readonly sdkMark: SdkMark
  readonly hasUsage: boolean
  /** The agent that the span itself names; null where it names none. */
  readonly agentOwn: string | null
  readonly sessionOwn: string | null
}

/** Returns the spans of a kind that report a call themselves, without those that only wrap or repeat a nested report. */
function listInnermost(
  spans: readonly CallInput[],
  of: Kind,
  marks: readonly number[],
  around: readonly number[],
  separate: ReadonlySet<number>,
): number[] {
  const innermost: number[] = []
  for (let index = 0; index < spans.length; index++) {
    const { kind, hasUsage } = spans[index] as CallInput
    if (kind !== of) continue
    // A report without usage inside a separate call repeats it.
    const isRepeat = !hasUsage && separate.has(around[index] ?? -1)
    if (separate.has(index) || (isCountedCall(hasUsage, marks[index] ?? 0) && !isRepeat)) innermost.push(index)
  }
  return innermost
}

/**
 * Records the reasoning tokens of a call if only another report of it states them. The cost does not change: the counted span reports the
 * most parts that have a separate price, and reasoning has none.
 */
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

/**
 * Collects in `reasoning`, by the index of the counted span, the reasoning tokens that other reports of its call state. `told`: the spans of
 * calls that several spans report side by side. `finer`: as returned by `findFinerAround`.
 */
function uniteReasoning(
  spans: readonly CallInput[],
  { counted, callAt }: Placed,
  told: readonly number[],
  nested: readonly Nested[],
  finer: ReadonlyMap<number, number>,
  reasoning: Map<number, number>,
): void {
  for (const index of [...told, ...finer.keys()]) {
    const place = callAt[index] ?? -1
    if (place !== index) addReasoning(reasoning, place, spans[place], spans[index])
  }
  for (const { inner, outer } of nested) {
    const place = finer.get(inner) ?? inner
    // An outer span with a different output count sums several calls.
    const isSameOutput = spans[inner]?.outputTokens === spans[outer]?.outputTokens
    if (counted[place] === 1 && isSameOutput) addReasoning(reasoning, place, spans[place], spans[outer])
  }
}

/** Updates `counted` and `callAt`: the outer spans in `finer` count in place of the inner spans that counted so far. */
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

/**
 * Finds calls of tools that several instrumentations report side by side. Returns, for each span of such a call, the index of the span that
 * counts. The rules are those for model calls (`findDuplicateReports`), with the name of the tool, which has to be equal, as the model. Nested
 * spans are never paired here: they were handled before.
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
  const areApart = (one: number, other: number): boolean =>
    calls[one]?.model !== calls[other]?.model || isWithin(parents, one, other) || isWithin(parents, other, one)
  return findDuplicateReports(calls, named, bySeniority, areApart)
}

const noneTold: ReadonlyMap<number, number> = new Map()
const none: ReadonlySet<number> = new Set()

/** Converts a tool span for `findDuplicateReports`. Of the spans of one call, a span of our SDK counts first, then a span with a call id. */
const asCall = (span: CallInput, toolName: string | null): CallSpan => ({
  kind: 'tool',
  startTimeUs: span.startTimeUs,
  endTimeUs: span.endTimeUs,
  scopeName: span.scopeName,
  model: toolName,
  requestModel: null,
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
  /** For each span that reports a model call, the index of the span that counts for this call; -1 for all other spans. */
  readonly callAt: readonly number[]
  /** 1 for each span of a model call that spans of several scopes report. */
  readonly toldTwice: readonly number[]
  /** By the index of the counted span, the reasoning tokens of a call that several spans report. */
  readonly reasoning: ReadonlyMap<number, number>
  /** For a tool span whose call is also reported side by side, under its id, or by our SDK inside it: the index of the span that counts. */
  readonly countedToolAt: ReadonlyMap<number, number>
  /** Turns of Claude's Agent SDK that do not count, and during which a call that they sum up failed (`findToldTurns`). */
  readonly turnsWithFailedCall: ReadonlySet<number>
}

/**
 * Finds the calls of a trace and, for each, the one span that counts.
 *
 * Model calls (llm and embedding spans, each kind separately):
 * 1. The innermost of nested spans counts, or the innermost with usage (`isCountedCall`). A span of one agent inside that of another one
 *    is a separate call (`markOtherAgents`), and so are an attempt inside a failed one (`placeBesideFailed`) and a span around calls that it
 *    does not report (`findSeparateCalls`). If a gateway gave the response a new id, the span with this id counts in its place
 *    (`countRenamed`).
 * 2. A turn of Claude's Agent SDK whose calls are reported too does not count (`findToldTurns`), nor does fetching a response again
 *    (`findFetchedAgain`).
 * 3. If several of these spans report one call side by side, the one with the most detailed usage counts (`findDuplicateReports`).
 * 4. A span of another scope around it that reports the same call in more detail counts in its place (`findFinerAround`).
 *
 * Calls of tools:
 * 1. One of the spans with the same call id counts (`findReportedTools`).
 * 2. A tool span inside another reports the same call if it has no id, and the same tool name or none (`isToldAround`); or if it has an id
 *    and the outer span has none, but the same tool name and another scope (`isToldBesideId`). The outer span then counts, unless the inner
 *    one is a span of our SDK (`findStandIns`).
 * 3. If several of the remaining spans report one call side by side, one of them counts (`findToldTools`).
 */
export function findCalls(
  spans: readonly CallInput[],
  { order, parents }: TraceTree,
  bySeniority: (a: number, b: number) => number,
): Calls {
  const counted = fill(spans.length, 0)
  const callAt = fill(spans.length, -1)
  const toldTwice = fill(spans.length, 0)
  const reasoning = new Map<number, number>()
  const turnsWithFailedCall = new Set<number>()
  for (const kind of ['llm', 'embedding'] as const) {
    if (!spans.some((span) => span.kind === kind)) continue
    const placed = placeBesideFailed(spans, { order, parents }, kind)
    const marks = markNesting(spans, order, placed, kind)
    const isNested = marks.some(hasNested)
    const around = isNested ? findNearestAround(spans, order, placed, (span) => span.kind === kind) : []
    const separate = isNested && kind === 'llm' ? findSeparateCalls(spans, around) : none
    const nested = isNested ? markNestedReports(spans, order, around, kind, separate, toldTwice) : []
    const innermost = listInnermost(spans, kind, marks, around, separate)
    const reports = isNested ? countRenamed(spans, innermost, placed) : innermost
    const { turns, calls: ofTurns, withFailedCall } = findToldTurns(spans, reports)
    for (const index of [...turns, ...ofTurns]) toldTwice[index] = 1
    for (const index of withFailedCall) turnsWithFailedCall.add(index)
    const withoutTurns = turns.size === 0 ? reports : reports.filter((index) => !turns.has(index))
    const fetched = kind === 'llm' ? findFetchedAgain(spans, withoutTurns, bySeniority) : noneTold
    const calls =
      fetched.size === 0 ? withoutTurns : withoutTurns.filter((index) => (fetched.get(index) ?? index) === index)
    const told = findDuplicateReports(spans, calls, bySeniority, makeApart(spans, nested, placed))
    for (const index of withoutTurns) {
      const call = fetched.get(index) ?? index
      if (told.has(index)) toldTwice[index] = 1
      callAt[index] = told.get(call) ?? call
      counted[index] = callAt[index] === index ? 1 : 0
    }
    const finer = findFinerAround(spans, nested, callAt, bySeniority)
    if (finer.size > 0) moveCalls(withoutTurns, finer, counted, callAt)
    const toldBeside = [...told.keys(), ...fetched.keys()]
    if (toldBeside.length > 0 || nested.length > 0)
      uniteReasoning(spans, { counted, callAt }, toldBeside, nested, finer, reasoning)
  }
  const toolsAround = findToolsAround(spans, order, parents)
  const isToldWithoutId = (index: number): boolean => {
    const span = spans[index] as CallInput
    return span.toolCallId === null && isToldAround(span, spans[toolsAround[index] ?? -1])
  }
  // If several frameworks report a call under one id, the one with a span of our SDK inside has to be chosen. The stand-ins are therefore
  // found before the ids are compared, and again with the result.
  const known = findStandIns(spans, order, toolsAround, isToldWithoutId, bySeniority)
  const isMarked = (index: number): boolean => (spans[index]?.sdkMark ?? null) !== null || known.has(index)
  const reported = findReportedTools(spans, { order, parents }, toolsAround, bySeniority, isMarked)
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
  return { counted, callAt, toldTwice, reasoning, countedToolAt: toldTools, turnsWithFailedCall }
}
