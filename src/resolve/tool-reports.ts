// Decides which of the tool spans with the same call id count. An id names one call, unless an instrumentation uses it for several.
import { listHostNames, type NamedTool } from './same-tool.ts'
import type { TraceTree } from './trace-tree.ts'

type ToolReport = NamedTool & {
  readonly kind: string
  readonly toolCallId: string | null
}

/** What only our SDK reports of a call: that a rule matched it (and served it or held it out), or that its result is attested. */
export type SdkMark = 'matched' | 'attested' | null

export const sdkMarkOf = (isMatched: boolean, isAttested: boolean): SdkMark =>
  isMatched ? 'matched' : isAttested ? 'attested' : null

/** An id from a count, which several agents of a trace may use: `call_0`. */
const countedId = /^\D{0,16}\d{1,4}$/

/** The most tool spans around a span that are searched for one with the same id. */
const maxNesting = 16

/**
 * Returns, for each tool span with a call id, the index of the span that counts for it, often its own. Among the spans with one id:
 *
 * - Spans of different scopes report the same call. If the id comes from a count, only nested ones do, and those that name the same tool, or
 *   none.
 * - Nested spans of one scope report the same call.
 * - Other spans of one scope are separate calls: some servers number the calls of each answer from 0, and a retry keeps its id.
 * - The spans of one scope count: the scope that reports the most calls. If several do, it is the one with a marked span, else the one with
 *   the oldest span.
 * - The calls of the other scopes are matched with the counted ones by order of age: the first with the first, and so on.
 *
 * `around`: for each span, the tool span around it without a model call or an agent between the two, or -1. `isMarked`: whether a span, or a span inside it that counts in its place, has a mark of our SDK. Cost: O(n).
 */
export function findReportedTools(
  spans: readonly ToolReport[],
  { order, parents }: Pick<TraceTree, 'order' | 'parents'>,
  around: readonly number[],
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
  let nameOf: ((index: number) => string | null) | undefined
  for (const [id, reports] of ofId) {
    if (reports.length === 1) places.set(reports[0] as number, reports[0] as number)
    else {
      above ??= findToolsAbove(spans, order, parents)
      nameOf ??= listHostNames(spans, listNamed(spans))
      reports.sort(bySeniority)
      const calls = countedId.test(id) ? splitByTool(spans, reports, around, nameOf) : [reports]
      for (const some of calls) placeReports(spans, some, above, isMarked, places)
    }
  }
  return places
}

const listNamed = (spans: readonly ToolReport[]): number[] =>
  spans.flatMap(({ kind, toolName }, index) => (kind === 'tool' && toolName !== null ? [index] : []))

/**
 * Splits the spans with one id by the tools that they name. A span inside one of another scope stays with it, under whatever name: a client
 * library may have its own. Spans that name no tool stay with those of the tool that the oldest named span names.
 */
function splitByTool(
  spans: readonly ToolReport[],
  reports: readonly number[],
  around: readonly number[],
  nameOf: (index: number) => string | null,
): Iterable<readonly number[]> {
  const among = new Set(reports)
  const findOutermost = (index: number): number => {
    let outermost = index
    for (let step = 0; step < maxNesting; step++) {
      const next = around[outermost] ?? -1
      if (!among.has(next) || spans[next]?.scopeName === spans[outermost]?.scopeName) break
      outermost = next
    }
    return outermost
  }
  const oldest = reports.map(nameOf).find((name) => name !== null) ?? null
  return Map.groupBy(reports, (index) => nameOf(findOutermost(index)) ?? oldest).values()
}

/** The spans of one scope, oldest first. `calls`: those that report a separate call each; the others are nested in one of them. */
type OfScope = { readonly own: readonly number[]; readonly calls: readonly number[] }

function placeReports(
  spans: readonly ToolReport[],
  reports: readonly number[],
  above: readonly number[],
  isMarked: (index: number) => boolean,
  places: Map<number, number>,
): void {
  const among = new Set(reports)
  const scopes = [...Map.groupBy(reports, (index) => spans[index]?.scopeName ?? null)].map(([scope, own]): OfScope => {
    // Spans of an unknown scope were stored by an older release, which counted each id once.
    const calls = scope === null ? own.slice(0, 1) : own.filter((index) => !isNested(spans, index, above, among))
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

/** Whether the span lies inside one of `among` of the same scope. */
function isNested(
  spans: readonly ToolReport[],
  index: number,
  above: readonly number[],
  among: ReadonlySet<number>,
): boolean {
  let at = above[index] ?? -1
  for (let step = 0; at >= 0 && step < maxNesting; step++) {
    if (among.has(at) && spans[at]?.scopeName === spans[index]?.scopeName) return true
    at = above[at] ?? -1
  }
  return false
}

/** Returns the index of the nearest tool span around each span; -1 where there is none. */
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
