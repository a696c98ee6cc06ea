// Finds model calls that several instrumentations report with spans side by side, such as a framework and the client that it uses.
import type { Kind } from '../event/event.ts'
import type { CallSpan } from './call-span.ts'
import { isSameModel } from './same-model.ts'
import { fill } from './trace-tree.ts'
import { countBest, isTold } from './usage-detail.ts'

type Pair = {
  readonly one: number
  readonly other: number
  readonly sharesId: boolean
  readonly tokensApart: number
  readonly distanceUs: number
}

/** The tolerance for times: two instrumentations read the clock for one call at different moments. */
export const clockSlackUs = 1_000
/** Without a common id, one span must cover at least this share of the time of the other. */
const leastCover = 0.9
/**
 * The tolerance for counts: Traceloop counts one token more for a stream, and tokenizers of clients differ a little from the provider's. The
 * fixed part does not apply to embeddings: they are not streamed, and a few tokens may be the whole difference of two short inputs.
 */
const tokenSlack = { tokens: 2, share: 0.01 }
/** The most earlier calls still running that a call is compared with. */
const maxNeighbours = 64
/** The most calls with its id, earlier than those, that a call is compared with. */
const maxSharingId = 16
/** The most pairs that are weighed for `calls` calls: all of 6,000 that run at once, and eight of each call in larger traces. */
const maxPairs = (calls: number): number => 400_000 + 8 * calls
/**
 * The most spans that are taken as reports of one call. Real calls have up to five. The number of scopes in a trace has no limit, and without
 * one for groups the time to join them would grow with the square of their size.
 */
export const maxReports = 8

/**
 * Returns, for each span of a call that several spans report, the index of the span that counts: the one with the most detailed usage, else
 * the oldest. `calls`: the indices of the spans of one kind that may be calls.
 *
 * - Two spans of one scope are two calls. An instrumentation reports a call once, and equal calls side by side are what fan-out and best-of-n
 *   look like. Fetches of a stored response, the exception, were left out before (`findFetchedAgain`).
 * - Two spans of different scopes are one call if they overlap in time and share the provider's response id. If the id is not unique
 *   (`isIdUnique`), their outcome, model and counts must agree too.
 * - If one or both have no response id, they are one call if one covers the other in time, both name the same model (`isSameModel`), both
 *   failed or neither did, and the token counts nearly agree. The input is compared with and without its cached tokens.
 * - A span is paired with at most one span of each other scope, and with at most seven in all. Pairs that share an id are made first, then
 *   those with the nearest counts, then those nearest in time.
 *
 * `areApart`: whether two spans that look like one call are known to be two; called at most 64 times a call, after which spans stay
 * separate. Cost: O(n) if all calls are of one scope; otherwise up to 80 pairs a call, at most 400,000 and eight a call in all, and a sort of
 * them: 0.6 s for 50,000 calls that all run at once. The youngest calls stay separate if there are more pairs.
 */
export function findDuplicateReports(
  spans: readonly CallSpan[],
  calls: readonly number[],
  bySeniority: (a: number, b: number) => number,
  areApart: (one: number, other: number) => boolean = () => false,
): ReadonlyMap<number, number> {
  if (!areScopesMixed(spans, calls)) return new Map()
  const groups = new Map<number, number[]>()
  let checksLeft = calls.length * maxNeighbours
  for (const { one, other } of listPairs(spans, calls.toSorted(bySeniority), bySeniority)) {
    const [left, right] = [groups.get(one) ?? [one], groups.get(other) ?? [other]]
    if (left === right || left.length + right.length > maxReports || shareScope(spans, left, right)) continue
    checksLeft -= left.length * right.length
    if (checksLeft < 0 || left.some((index) => right.some((beside) => areApart(index, beside)))) continue
    const joined = [...left, ...right]
    for (const index of joined) groups.set(index, joined)
  }
  return countBest(spans, new Set(groups.values()), bySeniority)
}

/** Calls of an unknown scope are compared too: an older release stored them, and compared only their ids and counts. */
function areScopesMixed(spans: readonly CallSpan[], calls: readonly number[]): boolean {
  const first = spans[calls[0] ?? -1]?.scopeName ?? null
  return calls.length > 1 && (first === null || calls.some((index) => spans[index]?.scopeName !== first))
}

/**
 * Returns the pairs of spans that may be one call: first those that share an id, then by difference of counts, then by distance in time.
 * Counts precede times because many calls may begin at the same moment. `calls`: in order of seniority.
 */
function listPairs(
  spans: readonly CallSpan[],
  calls: readonly number[],
  bySeniority: (a: number, b: number) => number,
): Pair[] {
  const pairs: Pair[] = []
  const ranks = rank(spans.length, calls, bySeniority)
  let running: number[] = []
  const passed = new Map<string, number[]>()
  for (const other of calls) {
    if (pairs.length >= maxPairs(calls.length)) break
    const late = spans[other] as CallSpan
    running = running.filter((index) => overlap(spans[index] as CallSpan, late))
    const sharing = passed.get(late.responseId ?? '') ?? []
    for (const one of [...sharing.filter((index) => overlap(spans[index] as CallSpan, late)), ...running]) {
      const early = spans[one] as CallSpan
      const sharesId = early.responseId !== null && early.responseId === late.responseId
      if (!isOneCall(early, late, sharesId)) continue
      pairs.push({ one, other, sharesId, tokensApart: tokensApart(early, late), distanceUs: distanceUsOf(early, late) })
    }
    running.push(other)
    if (running.length > maxNeighbours) addPassed(spans, passed, running.shift())
  }
  return pairs.sort(
    (a, b) =>
      Number(b.sharesId) - Number(a.sharesId) ||
      a.tokensApart - b.tokensApart ||
      a.distanceUs - b.distanceUs ||
      (ranks[a.one] ?? 0) - (ranks[b.one] ?? 0) ||
      (ranks[a.other] ?? 0) - (ranks[b.other] ?? 0),
  )
}

/** Keeps a call, under its id, that many later ones have displaced from those that a call is compared with. */
function addPassed(spans: readonly CallSpan[], passed: Map<string, number[]>, index: number | undefined): void {
  const id = spans[index ?? -1]?.responseId ?? null
  if (index === undefined || id === null) return
  const sharing = passed.get(id) ?? []
  passed.set(id, sharing)
  sharing.push(index)
  if (sharing.length > maxSharingId) sharing.shift()
}

/** Returns, for each of `length` indices, a number that sorts as `bySeniority` does. `calls`: in order of seniority. */
function rank(
  length: number,
  calls: readonly number[],
  bySeniority: (a: number, b: number) => number,
): readonly number[] {
  const ranks = fill(length, 0)
  let known = 0
  let before: number | undefined
  for (const index of calls) {
    if (before !== undefined && bySeniority(before, index) !== 0) known++
    ranks[index] = known
    before = index
  }
  return ranks
}

function isOneCall(early: CallSpan, late: CallSpan, sharesId: boolean): boolean {
  if (early.scopeName === null && late.scopeName === null)
    return (
      sharesId && early.inputTokens === late.inputTokens && early.outputTokens === late.outputTokens && isTold(early)
    )
  if (early.scopeName === late.scopeName) return false
  if (sharesId) return isIdUnique(early.responseId) || mayShareWeakId(early, late)
  if (early.responseId !== null && late.responseId !== null) return false
  return isAlike(early, late)
}

/**
 * Ids that calls may share by chance: Ollama draws `chatcmpl-123` from 999 numbers and `resp_123456` from 999,999, and some relays number
 * calls by the second.
 */
const weakId = /^(?:chatcmpl|cmpl|resp|msg)[-_]\d{1,13}$/

/** Whether the response id identifies a call by itself. */
export const isIdUnique = (id: string | null): boolean => id !== null && !weakId.test(id)

/** Whether two spans with a common id that is not unique may be one call: their outcome, model and counts agree, as far as both report them. */
export const mayShareWeakId = (one: CallSpan, other: CallSpan): boolean =>
  haveNearCounts(one, other) && isSameModel(one, other) !== false

/** Whether two spans without a common id may be one call: one covers the other in time, and their model, outcome and counts agree. */
export function isAlike(one: CallSpan, other: CallSpan): boolean {
  return covers(one, other) && haveAlikeCounts(one, other)
}

/**
 * Whether the outcome, model and token counts of two spans agree, as far as both report them. Only a failed call may lack the model: it
 * often does not name one.
 */
export const haveAlikeCounts = (one: CallSpan, other: CallSpan): boolean =>
  haveNearCounts(one, other) && (isSameModel(one, other) ?? one.isError)

/** Whether the outcome and token counts of two spans agree, as far as both report them. */
export const haveNearCounts = (one: CallSpan, other: CallSpan): boolean =>
  one.isError === other.isError &&
  isNear(one.kind, one.outputTokens, other.outputTokens) &&
  listInputs(one, other).some(([left, right]) => isNear(one.kind, left, right))

/** Whether both spans report input and output, and neither the inputs nor the outputs nearly agree. */
export const areCountsApart = (one: CallSpan, other: CallSpan): boolean =>
  !isNear(one.kind, one.outputTokens, other.outputTokens) &&
  listInputs(one, other).every(([left, right]) => !isNear(one.kind, left, right))

type Inputs = readonly [one: number | null, other: number | null]

/**
 * Returns the pairs of input counts to compare: the counts as reported and, where only one span reports cached tokens, its count without
 * them. The other span may leave them out, as Bedrock's client does.
 */
function listInputs(one: CallSpan, other: CallSpan): readonly Inputs[] {
  const inputs: Inputs[] = [[one.inputTokens, other.inputTokens]]
  const [oneRest, otherRest] = [withoutCache(one), withoutCache(other)]
  if (oneRest > 0 && other.cacheTokens === 0) inputs.push([oneRest, other.inputTokens])
  if (otherRest > 0 && one.cacheTokens === 0) inputs.push([one.inputTokens, otherRest])
  return inputs
}

/** Returns the input tokens that were not cached; 0 where none or all were cached. */
const withoutCache = ({ inputTokens, cacheTokens }: CallSpan): number =>
  cacheTokens === 0 ? 0 : (inputTokens ?? 0) - cacheTokens

export const overlap = (one: CallSpan, other: CallSpan): boolean =>
  Math.min(one.endTimeUs, other.endTimeUs) + clockSlackUs >= Math.max(one.startTimeUs, other.startTimeUs)

export const distanceUsOf = (one: CallSpan, other: CallSpan): number =>
  Math.abs(one.startTimeUs - other.startTimeUs) + Math.abs(one.endTimeUs - other.endTimeUs)

/** Returns the difference in tokens between the counts of two spans, as far as both report them. */
export const tokensApart = (one: CallSpan, other: CallSpan): number =>
  Math.min(...listInputs(one, other).map(([left, right]) => apart(left, right))) +
  apart(one.outputTokens, other.outputTokens)

const apart = (one: number | null, other: number | null): number =>
  one === null || other === null ? 0 : Math.abs(one - other)

/** Whether at least 90 % of the shorter span lies within the longer one. */
function covers(one: CallSpan, other: CallSpan): boolean {
  const sharedUs = Math.min(one.endTimeUs, other.endTimeUs) - Math.max(one.startTimeUs, other.startTimeUs)
  const shorterUs = Math.min(one.endTimeUs - one.startTimeUs, other.endTimeUs - other.startTimeUs)
  return sharedUs + clockSlackUs >= shorterUs * leastCover
}

/** Whether two counts nearly agree. True where one is missing or 0: some frameworks report 0 for an unknown count. */
function isNear(kind: Kind, one: number | null, other: number | null): boolean {
  if (one === null || other === null || one === 0 || other === 0) return true
  const tokens = kind === 'embedding' ? 0 : tokenSlack.tokens
  return Math.abs(one - other) <= Math.max(tokens, tokenSlack.share * Math.max(one, other))
}

const shareScope = (spans: readonly CallSpan[], left: readonly number[], right: readonly number[]): boolean =>
  left.some((one) => {
    const scope = spans[one]?.scopeName ?? null
    return scope !== null && right.some((other) => spans[other]?.scopeName === scope)
  })
