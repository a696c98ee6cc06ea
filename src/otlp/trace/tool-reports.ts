// Which of the tool spans with one call id count: an id names one call, unless an instrumentation gives it to several.

type ToolReport = {
  readonly kind: string
  readonly scopeName: string | null
  readonly toolCallId: string | null
}

/** What our SDK alone tells of the call of a tool: that a rule matched it, which served or held it out, or that its result is attested. */
export type SdkMark = 'matched' | 'attested' | null

export const sdkMarkOf = (isMatched: boolean, isAttested: boolean): SdkMark =>
  isMatched ? 'matched' : isAttested ? 'attested' : null

/** Tool spans with one id that lie in one another, looked for upwards. */
const maxNesting = 16

/**
 * For each tool span with an id, the place of the one that counts for it, often its own. Spans of different scopes with one id report one
 * call, as do spans of one scope that lie in one another. Other spans of one scope with one id are calls of their own: some servers number
 * the calls of each answer from 0, and a retry keeps its id. The scope that reports the most calls counts, where several do the one whose
 * spans tell of rules and claims, else the one with the oldest span; the first call of another scope is its first, and so on. `isMarked`:
 * whether a span tells of them, or one inside of it that counts for it. Cost: O(n).
 */
export function findReportedTools(
  spans: readonly ToolReport[],
  order: readonly number[],
  parents: readonly number[],
  bySeniority: (a: number, b: number) => number,
  isMarked: (index: number) => boolean,
): ReadonlyMap<number, number> {
  const ofId = new Map<string, number[]>()
  for (const index of order) {
    const { kind, toolCallId } = spans[index] as ToolReport
    if (kind !== 'tool' || toolCallId === null) continue
    const known = ofId.get(toolCallId)
    if (known === undefined) ofId.set(toolCallId, [index])
    else known.push(index)
  }
  const places = new Map<number, number>()
  let above: readonly number[] | undefined
  for (const reports of ofId.values()) {
    if (reports.length === 1) places.set(reports[0] as number, reports[0] as number)
    else {
      above ??= findToolsAbove(spans, order, parents)
      placeReports(spans, reports.sort(bySeniority), above, isMarked, places)
    }
  }
  return places
}

/** `calls`: those of its spans that report a call each. */
type OfScope = { readonly own: readonly number[]; readonly calls: readonly number[] }

function placeReports(
  spans: readonly ToolReport[],
  reports: readonly number[],
  above: readonly number[],
  isMarked: (index: number) => boolean,
  places: Map<number, number>,
): void {
  const scopes = [...Map.groupBy(reports, (index) => spans[index]?.scopeName ?? null)].map(([scope, own]): OfScope => {
    // Spans of an unknown scope were stored by an older release, which counted an id once.
    const calls = scope === null ? own.slice(0, 1) : own.filter((index) => !isNested(spans, index, above))
    return { own, calls }
  })
  const counted = chooseCalls(scopes, isMarked)
  for (const { own, calls } of scopes) {
    let nth = 0
    for (const index of own) {
      if (calls[nth + 1] === index) nth++
      const place = counted[Math.min(nth, counted.length - 1)]
      if (place !== undefined) places.set(index, place)
    }
  }
}

function chooseCalls(scopes: readonly OfScope[], isMarked: (index: number) => boolean): readonly number[] {
  let chosen: readonly number[] = []
  for (const { calls } of scopes) {
    const isMore = calls.length - chosen.length || Number(calls.some(isMarked)) - Number(chosen.some(isMarked))
    if (isMore > 0) chosen = calls
  }
  return chosen
}

/** Whether a span of the same id and scope is around it. */
function isNested(spans: readonly ToolReport[], index: number, above: readonly number[]): boolean {
  const { toolCallId, scopeName } = spans[index] as ToolReport
  let at = above[index] ?? -1
  for (let step = 0; at >= 0 && step < maxNesting; step++) {
    const outer = spans[at] as ToolReport
    if (outer.toolCallId === toolCallId && outer.scopeName === scopeName) return true
    at = above[at] ?? -1
  }
  return false
}

/** The nearest tool span around each span; -1 where there is none. */
function findToolsAbove(
  spans: readonly ToolReport[],
  order: readonly number[],
  parents: readonly number[],
): readonly number[] {
  const above: number[] = []
  for (const index of order) {
    const parent = parents[index] ?? -1
    above[index] = spans[parent]?.kind === 'tool' ? parent : (above[parent] ?? -1)
  }
  return above
}
