// A model call that several instrumentations report, by a framework and by the client under it, where no span lies in the other.

/** What finding such calls needs of a span. */
export type CallSpan = {
  readonly startTimeUs: number
  /** The start where the duration is unknown. */
  readonly endTimeUs: number
  /** Name of the instrumentation scope; null where it is not known. */
  readonly scopeName: string | null
  readonly model: string | null
  readonly responseId: string | null
  readonly inputTokens: number | null
  readonly outputTokens: number | null
  /** What the input holds of the cache, read and written; 0 where that is unknown. */
  readonly cacheTokens: number
  readonly isError: boolean
  readonly reasoningTokens: number | null
  /** How finely the span splits its usage: `usageDetailOf`. */
  readonly usageDetail: number
}

type Pair = {
  readonly one: number
  readonly other: number
  readonly sharesId: boolean
  readonly tokensApart: number
  readonly distanceUs: number
}

/** Two spans of one call are stamped at different moments. */
const clockSlackUs = 1_000
/** Without a common id, one span must cover so much of the time of the other. */
const leastCover = 0.9
// Traceloop counts one token more for a stream, and tokenizers of clients differ a little from the provider's.
const tokenSlack = { tokens: 2, share: 0.01 }
/** More calls that run at the same time are not compared with each other. */
const maxNeighbours = 64

/**
 * For each span of a call that is reported more than once, the one that counts: the span that tells most of its usage apart, else the
 * oldest. `calls`: indices of the spans of one kind that may be calls. Spans of one scope are never one call: an instrumentation reports a
 * call once, and equal calls side by side are what fan-out and best-of-n look like. Spans of different scopes are one call where they
 * overlap in time and share the provider's id of the response; without such an id, where one covers the other, the model is the same, both
 * failed or none did, and the token counts nearly agree, the input with or without its cache. Each span is paired with at most one of each
 * other scope, that with the nearest counts first, then the nearest in time. `areApart`: whether two spans that look like one call are known
 * to be two. Cost: O(n) where all are of one scope; else a sort and at most 64 comparisons a call.
 */
export function findToldTwice(
  spans: readonly CallSpan[],
  calls: readonly number[],
  bySeniority: (a: number, b: number) => number,
  areApart: (one: number, other: number) => boolean = () => false,
): ReadonlyMap<number, number> {
  if (!areScopesMixed(spans, calls)) return new Map()
  const groups = new Map<number, number[]>()
  for (const { one, other } of listPairs(spans, calls.toSorted(bySeniority), bySeniority)) {
    const [left, right] = [groups.get(one) ?? [one], groups.get(other) ?? [other]]
    if (left === right || shareScope(spans, left, right)) continue
    if (left.some((index) => right.some((beside) => areApart(index, beside)))) continue
    const joined = [...left, ...right]
    for (const index of joined) groups.set(index, joined)
  }
  const counting = new Map<number, number>()
  for (const group of new Set(groups.values())) {
    const best = group.reduce((chosen, index) => (isBetter(spans, index, chosen, bySeniority) ? index : chosen))
    for (const index of group) counting.set(index, best)
  }
  return counting
}

/** Calls of unknown scope were stored by an older release, which compared ids and counts alone. */
function areScopesMixed(spans: readonly CallSpan[], calls: readonly number[]): boolean {
  const first = spans[calls[0] ?? -1]?.scopeName ?? null
  return calls.length > 1 && (first === null || calls.some((index) => spans[index]?.scopeName !== first))
}

/** Those that share an id first, then those whose counts agree best: many calls may begin at one moment. Then the nearest. */
function listPairs(
  spans: readonly CallSpan[],
  calls: readonly number[],
  bySeniority: (a: number, b: number) => number,
): Pair[] {
  const pairs: Pair[] = []
  let running: number[] = []
  for (const other of calls) {
    const late = spans[other] as CallSpan
    running = running.filter((index) => overlap(spans[index] as CallSpan, late))
    for (const one of running) {
      const early = spans[one] as CallSpan
      const sharesId = early.responseId !== null && early.responseId === late.responseId
      if (!isOneCall(early, late, sharesId)) continue
      pairs.push({ one, other, sharesId, tokensApart: tokensApart(early, late), distanceUs: distanceUsOf(early, late) })
    }
    running.push(other)
    if (running.length > maxNeighbours) running.shift()
  }
  return pairs.sort(
    (a, b) =>
      Number(b.sharesId) - Number(a.sharesId) ||
      a.tokensApart - b.tokensApart ||
      a.distanceUs - b.distanceUs ||
      bySeniority(a.one, b.one) ||
      bySeniority(a.other, b.other),
  )
}

function isOneCall(early: CallSpan, late: CallSpan, sharesId: boolean): boolean {
  if (early.scopeName === null && late.scopeName === null)
    return (
      sharesId && early.inputTokens === late.inputTokens && early.outputTokens === late.outputTokens && isTold(early)
    )
  if (early.scopeName === late.scopeName) return false
  if (sharesId) return true
  if (early.responseId !== null && late.responseId !== null) return false
  return isAlike(early, late)
}

/** Whether two spans without a common id may be of one call: one covers the other, and what they tell agrees. */
export function isAlike(one: CallSpan, other: CallSpan): boolean {
  return covers(one, other) && haveAlikeCounts(one, other)
}

/** Whether what two spans tell of a call agrees, as far as both tell it. */
export const haveAlikeCounts = (one: CallSpan, other: CallSpan): boolean =>
  one.isError === other.isError &&
  isSameModel(one, other) &&
  isNear(one.outputTokens, other.outputTokens) &&
  listInputs(one, other).some(([left, right]) => isNear(left, right))

type Inputs = readonly [one: number | null, other: number | null]

/** As they are, and where one of them may leave out the cache that the other one tells: Bedrock's client does. */
function listInputs(one: CallSpan, other: CallSpan): readonly Inputs[] {
  const inputs: Inputs[] = [[one.inputTokens, other.inputTokens]]
  const [oneRest, otherRest] = [withoutCache(one), withoutCache(other)]
  if (oneRest > 0 && other.cacheTokens === 0) inputs.push([oneRest, other.inputTokens])
  if (otherRest > 0 && one.cacheTokens === 0) inputs.push([one.inputTokens, otherRest])
  return inputs
}

/** 0 where nothing of it was cached, or all. */
const withoutCache = ({ inputTokens, cacheTokens }: CallSpan): number =>
  cacheTokens === 0 ? 0 : (inputTokens ?? 0) - cacheTokens

export const overlap = (one: CallSpan, other: CallSpan): boolean =>
  Math.min(one.endTimeUs, other.endTimeUs) + clockSlackUs >= Math.max(one.startTimeUs, other.startTimeUs)

export const distanceUsOf = (one: CallSpan, other: CallSpan): number =>
  Math.abs(one.startTimeUs - other.startTimeUs) + Math.abs(one.endTimeUs - other.endTimeUs)

/** How far the counts of two spans are apart, as far as both tell them. */
export const tokensApart = (one: CallSpan, other: CallSpan): number =>
  Math.min(...listInputs(one, other).map(([left, right]) => apart(left, right))) +
  apart(one.outputTokens, other.outputTokens)

const apart = (one: number | null, other: number | null): number =>
  one === null || other === null ? 0 : Math.abs(one - other)

const isTold = ({ inputTokens, outputTokens }: CallSpan): boolean => inputTokens !== null || outputTokens !== null

/** Without the provider in front and the date behind. A failed call often does not name its model. */
function isSameModel(one: CallSpan, other: CallSpan): boolean {
  if (one.model === null || other.model === null) return one.isError
  return bareModel(one.model) === bareModel(other.model)
}

const bareModel = (model: string): string =>
  model.replace(/^.*\//, '').replace(/[-@](?:20\d{6}|20\d{2}-\d{2}-\d{2})$/, '')

/** How much of the shorter span lies in the longer one. */
function covers(one: CallSpan, other: CallSpan): boolean {
  const sharedUs = Math.min(one.endTimeUs, other.endTimeUs) - Math.max(one.startTimeUs, other.startTimeUs)
  const shorterUs = Math.min(one.endTimeUs - one.startTimeUs, other.endTimeUs - other.startTimeUs)
  return sharedUs + clockSlackUs >= shorterUs * leastCover
}

/** Where only one of the two tells a count, there is nothing to compare: some frameworks tell 0 for what they do not know. */
function isNear(one: number | null, other: number | null): boolean {
  if (one === null || other === null || one === 0 || other === 0) return true
  return Math.abs(one - other) <= Math.max(tokenSlack.tokens, tokenSlack.share * Math.max(one, other))
}

const shareScope = (spans: readonly CallSpan[], left: readonly number[], right: readonly number[]): boolean =>
  left.some((one) => {
    const scope = spans[one]?.scopeName ?? null
    return scope !== null && right.some((other) => spans[other]?.scopeName === scope)
  })

function isBetter(
  spans: readonly CallSpan[],
  index: number,
  chosen: number,
  bySeniority: (a: number, b: number) => number,
): boolean {
  return (compareDetail(spans[index] as CallSpan, spans[chosen] as CallSpan) || bySeniority(index, chosen)) < 0
}

/** Negative where `one` tells its usage in more detail than `other`. */
export function compareDetail(one: CallSpan, other: CallSpan): number {
  return Number(isTold(other)) - Number(isTold(one)) || other.usageDetail - one.usageDetail
}

/** Reasoning tokens of a call: those of the span that counts, else those of another one as far as they fit into its output. */
export function unitedReasoning(counting: CallSpan | undefined, other: CallSpan | undefined): number | null {
  const own = counting?.reasoningTokens ?? null
  if (own !== null) return own
  const tokens = other?.reasoningTokens ?? null
  return tokens !== null && tokens <= (counting?.outputTokens ?? 0) ? tokens : null
}
