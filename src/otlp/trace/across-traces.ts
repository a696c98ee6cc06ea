// A model call that two instrumentations report in two traces: the client under a framework often does not know the framework's
// trace, and begins one of its own.
import { compareText } from '../../base/compare-text.ts'
import {
  type CallSpan,
  compareDetail,
  distanceUsOf,
  isAlike,
  overlap,
  tokensApart,
  unitedReasoning,
} from './told-twice.ts'

/** A model call that no other span of its trace lies in. */
export type TracedCall = CallSpan & {
  readonly workspaceId: string
  readonly traceId: string
  readonly spanId: string
  readonly kind: string
  /** Nothing of its trace lies around it but spans that report the same call. */
  readonly isOutermost: boolean
  /** Whether it says which tools the model asks for. */
  readonly tellsTools: boolean
  /** What the resource calls itself. */
  readonly service: string
  /** Calls of one trace with the same key are reported by several spans of that trace. */
  readonly callKey: string
}

/** What both traces agree on for a span of a call that both report. */
export type Verdict = {
  readonly counted: boolean
  /** Whether the span that counts failed. */
  readonly hasFailed: boolean
  /** Of the call, where the span that counts does not tell them. */
  readonly reasoningTokens: number | null
  /** Whether it is for the trace of this span to say which of the tools that the call asks for were called. */
  readonly infersTools: boolean
}

/** Two calls of different traces that may be one. The same span is the same object in all of them. */
export type Candidate = { readonly one: TracedCall; readonly other: TracedCall }

/** Both spans of a call begin within the moment that a client takes to send a request. Spans with a common id are not held to it. */
const longestLeadUs = 2_000_000
/** How far the starts and the ends of two spans may be apart in all, where nothing but their times says that they are of one call. */
const together = { us: 100_000, share: 0.05 }

/** Those of the candidates that may be of one call. */
export const filterAlike = (candidates: readonly Candidate[]): readonly Candidate[] =>
  candidates.filter((candidate) => isOneCall(candidate) && isTiedToTrace(candidate))

/** Those that would be alike if one of the two were the outermost of its trace. */
export const filterUntied = (candidates: readonly Candidate[]): readonly Candidate[] =>
  candidates.filter((candidate) => !isTiedToTrace(candidate) && isOneCall(candidate))

/**
 * Which spans of different traces are of one call, and which of them counts; nothing for spans without a partner. Two spans of different
 * traces and scopes are one call where they overlap in time and share the provider's id of the response. Without such an id one of them has to
 * be the outermost of its trace, of the same service, begun at nearly the same time, and as alike as within a trace, with a count that both
 * tell or a failure in common; where one of them tells no count, they have to end at nearly the same time too. A call has at most one span of
 * each scope; the nearest in time are paired first.
 *
 * The verdict follows from the spans alone, so that each of the traces comes to it by itself. Spans that tell as much are ordered by whether
 * they are outermost and by the names of their scopes: of equal calls side by side, all that count are then of one scope, however they are
 * paired.
 */
export function findAcrossTraces(alike: readonly Candidate[]): ReadonlyMap<TracedCall, Verdict> {
  const groups = new Map<TracedCall, ReadonlySet<TracedCall>>()
  const join = (one: TracedCall, other: TracedCall): void => {
    const [left, right] = [groups.get(one) ?? new Set([one]), groups.get(other) ?? new Set([other])]
    // Two spans of one scope are two calls, also where a third scope seems to link them.
    if (left === right || shareScope(left, right)) return
    const joined = left.union(right)
    for (const call of joined) groups.set(call, joined)
  }
  for (const { one, other } of alike.toSorted(compareCandidates)) join(one, other)
  for (const [first, ...more] of Map.groupBy([...groups.keys()], callKeyOf).values())
    for (const call of more) if (first !== undefined) join(first, call)
  const verdicts = new Map<TracedCall, Verdict>()
  for (const group of new Set(groups.values())) {
    const [best] = [...group].sort(compareCalls)
    const [asking] = [...group].sort(compareAsking)
    const reasoning = [...group].map((call) => unitedReasoning(best, call)).filter((tokens) => tokens !== null)
    const reasoningTokens = reasoning.length === 0 ? null : Math.max(...reasoning)
    for (const call of group) {
      const infersTools = call.traceId === asking?.traceId
      verdicts.set(call, { counted: call === best, hasFailed: best?.isError ?? false, reasoningTokens, infersTools })
    }
  }
  return verdicts
}

const shareScope = (left: ReadonlySet<TracedCall>, right: ReadonlySet<TracedCall>): boolean =>
  left.values().some((one) => right.values().some((other) => one.scopeName === other.scopeName))

/** Those that share an id first, then those that have counts to compare, then those whose counts agree best, then the nearest in time. */
function compareCandidates(left: Candidate, right: Candidate): number {
  return (
    Number(shareId(right.one, right.other)) - Number(shareId(left.one, left.other)) ||
    Number(haveCommonCount(right.one, right.other)) - Number(haveCommonCount(left.one, left.other)) ||
    tokensApart(left.one, left.other) - tokensApart(right.one, right.other) ||
    distanceUsOf(left.one, left.other) - distanceUsOf(right.one, right.other) ||
    compareText(nameOf(left), nameOf(right))
  )
}

/** The same whichever of the two is `one`. */
const nameOf = ({ one, other }: Candidate): string => [keyOf(one), keyOf(other)].sort().join(' ')

const shareId = (one: TracedCall, other: TracedCall): boolean =>
  one.responseId !== null && one.responseId === other.responseId

/** A client that does not know the framework's trace begins one of its own: without an id, only then may two traces tell of one call. */
const isTiedToTrace = ({ one, other }: Candidate): boolean =>
  one.isOutermost || other.isOutermost || shareId(one, other)

function isOneCall({ one, other }: Candidate): boolean {
  if (one.workspaceId !== other.workspaceId || one.traceId === other.traceId || one.kind !== other.kind) return false
  if (one.scopeName === null || other.scopeName === null || one.scopeName === other.scopeName) return false
  if (!overlap(one, other)) return false
  if (shareId(one, other)) return true
  if (one.responseId !== null && other.responseId !== null) return false
  if (one.service !== other.service) return false
  if (Math.abs(one.startTimeUs - other.startTimeUs) > longestLeadUs) return false
  return isAlike(one, other) && (one.isError || haveCommonCount(one, other) || areTogether(one, other))
}

/** Where one of the two tells no count, such as a client of a stream whose usage nobody asked for, only the times are left to compare. */
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
  // The trace of the framework shows what the call was made for, that of a client alone does not.
  Number(one.isOutermost) - Number(other.isOutermost) ||
  compareText(one.scopeName ?? '', other.scopeName ?? '') ||
  one.startTimeUs - other.startTimeUs ||
  compareText(keyOf(one), keyOf(other))

/** The trace of a framework holds the calls of the tools, that of a client alone does not. */
const compareAsking = (one: TracedCall, other: TracedCall): number =>
  Number(one.isOutermost) - Number(other.isOutermost) ||
  Number(other.tellsTools) - Number(one.tellsTools) ||
  compareCalls(one, other)

const keyOf = ({ workspaceId, traceId, spanId, startTimeUs }: TracedCall): string =>
  `${workspaceId} ${traceId} ${spanId} ${startTimeUs}`

const callKeyOf = ({ workspaceId, traceId, callKey }: TracedCall): string => `${workspaceId} ${traceId} ${callKey}`
