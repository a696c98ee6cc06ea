// Finds model calls that several instrumentations report in different traces: the client below a framework often does not know the
// framework's trace and begins a separate one.
import { compareText } from '../base/compare-text.ts'
import type { CallSpan } from './call-span.ts'
import { distanceUsOf, isAlike, isIdUnique, maxReports, mayShareWeakId, overlap, tokensApart } from './told-twice.ts'
import { compareDetail, unitedReasoning } from './usage-detail.ts'

/** A span that reports a model call. Spans that only wrap or repeat a nested report are not included (`Resolved.callAt` is -1). */
export type TracedCall = CallSpan & {
  readonly workspaceId: string
  readonly traceId: string
  readonly spanId: string
  /** All spans around it in its trace, if any, report the same call. */
  readonly isOutermost: boolean
  /** Whether it lists the tools that the model asks for. */
  readonly tellsTools: boolean
  /** The name of the resource: `agentFallback` of the event. */
  readonly service: string
  /** The agent that its trace names; null where the agent is the service. */
  readonly agent: string | null
  /** Spans of one trace with the same key report the same call. */
  readonly callKey: string
}

/** What is decided for one span of a call that several traces report. */
export type CallVerdict = {
  readonly counted: boolean
  /** Whether the span that counts failed. */
  readonly hasFailed: boolean
  /** The reasoning tokens of the call: those of the span that counts, else the most that another span reports. */
  readonly reasoningTokens: number | null
  /** Whether the trace of this span decides which of the tools that the call asks for were called. */
  readonly infersTools: boolean
  /** The agent of the span if it counts: that of its own trace, else one that the trace of another span names; null where none does. */
  readonly agent: string | null
}

/** Two spans of different traces that may be one call. A span is the same object in all candidates that contain it. */
export type CallPair = { readonly one: TracedCall; readonly other: TracedCall }

/**
 * The largest difference between the starts of two spans of one call: the time that a client takes to send a request. It does not apply to
 * spans with a common id.
 */
const longestLeadUs = 2_000_000
/**
 * The largest sum of the differences between the starts and between the ends of two spans, if only their times show that they are one call:
 * `us`, or `share` of the longer span if that is more.
 */
const together = { us: 100_000, share: 0.05 }

/** Returns the candidates that may be one call. */
export function filterAlike(candidates: readonly CallPair[]): readonly CallPair[] {
  const alike = candidates.filter(isOneCall)
  const sharing = new Set(alike.filter(({ one, other }) => shareId(one, other)).map(nameTraces))
  return alike.filter((candidate) => isTiedToTrace(candidate) || sharing.has(nameTraces(candidate)))
}

/** Returns the candidates that would be one call if one of the two spans were the outermost of its trace. */
export const filterUntied = (candidates: readonly CallPair[]): readonly CallPair[] =>
  candidates.filter((candidate) => !isTiedToTrace(candidate) && isOneCall(candidate))

/**
 * Groups spans of different traces that report one call, and decides which of them counts. Returns a verdict for each span in a group, none
 * for spans without a partner. `alike`: the candidates that `filterAlike` returned.
 *
 * - Two spans of different traces and scopes are one call if they overlap in time and share the provider's response id. If the id is not
 *   unique (`isIdUnique`), they must agree as within one trace, and those of two services must both report a common count.
 * - If one or both have no response id, all of these must hold: one span is the outermost of its trace, or the two traces share another call
 *   by its id, which shows that both report the same program; both are of one service; they begin at nearly the same time; they are as alike
 *   as within one trace (`isAlike`); and both report a common count, or both failed. If one of them reports no count, it is enough that they
 *   also end at nearly the same time.
 * - A call has at most one span of each scope, and at most eight in all. Pairs that share an id are made first, then those with a common
 *   count, then those with the nearest counts, then those nearest in time.
 *
 * The verdict depends on the spans alone, so that the traces reach the same one independently. Of equally detailed spans, one that is not
 * the outermost of its trace counts first; then the name of the scope decides. Of equal calls side by side, all spans that count are
 * therefore of one scope, however they are paired.
 */
export function findAcrossTraces(alike: readonly CallPair[]): ReadonlyMap<TracedCall, CallVerdict> {
  const groups = new Map<TracedCall, ReadonlySet<TracedCall>>()
  const join = (one: TracedCall, other: TracedCall): void => {
    const [left, right] = [groups.get(one) ?? new Set([one]), groups.get(other) ?? new Set([other])]
    // Two spans of one scope are two calls, even where a span of a third scope links them.
    if (left === right || left.size + right.size > maxReports || shareScope(left, right)) return
    const joined = left.union(right)
    for (const call of joined) groups.set(call, joined)
  }
  for (const { one, other } of alike.toSorted(compareCandidates)) join(one, other)
  for (const [first, ...more] of Map.groupBy([...groups.keys()], callKeyOf).values())
    for (const call of more) if (first !== undefined) join(first, call)
  const verdicts = new Map<TracedCall, CallVerdict>()
  for (const group of new Set(groups.values())) {
    const [best] = [...group].sort(compareCalls)
    const asked = [...group].sort(compareAsking)
    const named = asked.find(({ agent }) => agent !== null)
    const reasoning = [...group].map((call) => unitedReasoning(best, call)).filter((tokens) => tokens !== null)
    const reasoningTokens = reasoning.length === 0 ? null : Math.max(...reasoning)
    for (const call of group) {
      const infersTools = call.traceId === asked[0]?.traceId
      const counted = call === best
      const agent = counted ? (call.agent ?? named?.agent ?? null) : null
      verdicts.set(call, { counted, hasFailed: best?.isError ?? false, reasoningTokens, infersTools, agent })
    }
  }
  return verdicts
}

const shareScope = (left: ReadonlySet<TracedCall>, right: ReadonlySet<TracedCall>): boolean =>
  left.values().some((one) => right.values().some((other) => one.scopeName === other.scopeName))

/** Sorts pairs that share an id first, then those with a common count, then those with the nearest counts, then those nearest in time. */
function compareCandidates(left: CallPair, right: CallPair): number {
  return (
    Number(shareId(right.one, right.other)) - Number(shareId(left.one, left.other)) ||
    Number(haveCommonCount(right.one, right.other)) - Number(haveCommonCount(left.one, left.other)) ||
    tokensApart(left.one, left.other) - tokensApart(right.one, right.other) ||
    distanceUsOf(left.one, left.other) - distanceUsOf(right.one, right.other) ||
    compareText(nameOf(left), nameOf(right))
  )
}

/** Returns a key of the two traces that does not depend on which of the two calls is `one`. */
const nameTraces = ({ one, other }: CallPair): string => [traceKeyOf(one), traceKeyOf(other)].sort().join(' ')

/** Returns a key that does not depend on which of the two is `one`. */
const nameOf = ({ one, other }: CallPair): string => [keyOf(one), keyOf(other)].sort().join(' ')

const shareId = (one: TracedCall, other: TracedCall): boolean =>
  one.responseId !== null && one.responseId === other.responseId

/**
 * Without a common id, spans of two traces that share no other call may be one call only if one is the outermost of its trace: a client that
 * does not know the framework's trace begins a separate one.
 */
const isTiedToTrace = ({ one, other }: CallPair): boolean => one.isOutermost || other.isOutermost || shareId(one, other)

function isOneCall({ one, other }: CallPair): boolean {
  if (one.workspaceId !== other.workspaceId || one.traceId === other.traceId || one.kind !== other.kind) return false
  if (one.scopeName === null || other.scopeName === null || one.scopeName === other.scopeName) return false
  if (!overlap(one, other)) return false
  if (shareId(one, other)) return isIdUnique(one.responseId) || mayShareId(one, other)
  if (one.responseId !== null && other.responseId !== null) return false
  if (one.service !== other.service) return false
  if (Math.abs(one.startTimeUs - other.startTimeUs) > longestLeadUs) return false
  return isAlike(one, other) && (one.isError || haveCommonCount(one, other) || areTogether(one, other))
}

/** Spans of two services that share an id which is not unique must report a common count too. */
const mayShareId = (one: TracedCall, other: TracedCall): boolean =>
  mayShareWeakId(one, other) && (one.service === other.service || haveCommonCount(one, other))

/** Compares the times if one of the two spans reports no count, such as a client of a stream for which no usage was requested. */
function areTogether(one: TracedCall, other: TracedCall): boolean {
  if (isCounted(one) && isCounted(other)) return false
  const longestUs = Math.max(one.endTimeUs - one.startTimeUs, other.endTimeUs - other.startTimeUs)
  return distanceUsOf(one, other) <= Math.max(together.us, together.share * longestUs)
}

const isCounted = ({ inputTokens, outputTokens }: CallSpan): boolean => (inputTokens ?? 0) + (outputTokens ?? 0) > 0

const haveCommonCount = (one: CallSpan, other: CallSpan): boolean =>
  areBothTold(one.inputTokens, other.inputTokens) || areBothTold(one.outputTokens, other.outputTokens)

const areBothTold = (one: number | null, other: number | null): boolean => (one ?? 0) > 0 && (other ?? 0) > 0

const compareCalls = (one: TracedCall, other: TracedCall): number =>
  compareDetail(one, other) ||
  // The trace of a framework shows what the call was made for; a trace of the client alone does not.
  Number(one.isOutermost) - Number(other.isOutermost) ||
  compareText(one.scopeName ?? '', other.scopeName ?? '') ||
  one.startTimeUs - other.startTimeUs ||
  compareText(keyOf(one), keyOf(other))

/**
 * Sorts first the span whose trace infers the tools. The trace of a framework contains the calls of the tools; a trace of the client alone
 * does not.
 */
const compareAsking = (one: TracedCall, other: TracedCall): number =>
  Number(one.isOutermost) - Number(other.isOutermost) ||
  Number(other.tellsTools) - Number(one.tellsTools) ||
  compareCalls(one, other)

export const traceKeyOf = ({ workspaceId, traceId }: Pick<TracedCall, 'workspaceId' | 'traceId'>): string =>
  `${workspaceId} ${traceId}`

export const keyOf = (call: TracedCall): string => `${traceKeyOf(call)} ${call.spanId} ${call.startTimeUs}`

const callKeyOf = (call: TracedCall): string => `${traceKeyOf(call)} ${call.callKey}`
