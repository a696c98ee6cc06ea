// Floor 1. What the spans of one trace mean together: whose they are, and which of them count.
import type { Kind } from '../event.ts'
import { type CallSpan, findToldTwice } from './told-twice.ts'
import { fill, type TraceTree, walkTree } from './trace-tree.ts'

/** What `resolve` needs of a span. A span is told apart by `spanId` and `startTimeUs`. */
export type ResolveInput = CallSpan & {
  readonly spanId: string
  readonly parentSpanId: string | null
  readonly kind: Kind
  readonly agentOwn: string | null
  readonly agentFallback: string
  readonly sessionOwn: string | null
  readonly userOwn: string | null
  readonly toolName: string | null
  readonly toolCallId: string | null
  readonly hasUsage: boolean
}

export type Resolved = {
  readonly agentName: string
  readonly sessionId: string | null
  readonly userId: string | null
  /** Counts in calls, tokens and cost: false where another span of the trace tells of the same call. */
  readonly counted: boolean
  /** Several spans tell of this call, of which one counts. */
  readonly toldTwice: boolean
}

/** Where a span lies among its ancestors and descendants of its own kind. No path crosses a tool or an agent span. */
const within = 1 // some descendant
const withUsageWithin = 2 // some descendant with usage
const underInnermost = 4 // an ancestor with usage, itself without a descendant with usage

const isWall = (span: ResolveInput) => span.kind === 'tool' || span.kind === 'agent'

/** Marks llm and embedding spans that lie in one another, children before parents and then back. */
function markNesting(
  spans: readonly ResolveInput[],
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
function findToolsAround(
  spans: readonly ResolveInput[],
  order: readonly number[],
  parents: readonly number[],
): number[] {
  const around = fill(spans.length, -1)
  for (const index of order) {
    const parent = parents[index] ?? -1
    const above = spans[parent]
    if (above === undefined || above.kind === 'agent' || above.kind === 'llm') continue
    around[index] = above.kind === 'tool' ? parent : (around[parent] ?? -1)
  }
  return around
}

/** The value of the earliest span that has one, roots before all others. */
function ofTrace(
  spans: readonly ResolveInput[],
  bySeniority: (a: number, b: number) => number,
  field: 'sessionOwn' | 'userOwn',
): string | null {
  let best = -1
  for (let index = 0; index < spans.length; index++) {
    const span = spans[index] as ResolveInput
    if (span[field] === null) continue
    const chosen = spans[best]
    const isRoot = span.parentSpanId === null
    const bestIsRoot = chosen?.parentSpanId === null
    if (chosen === undefined || (isRoot === bestIsRoot ? bySeniority(index, best) < 0 : isRoot)) best = index
  }
  return spans[best]?.[field] ?? null
}

/** Of the tool spans that tell of one call, the oldest. */
function findFirstOfCalls(
  spans: readonly ResolveInput[],
  bySeniority: (a: number, b: number) => number,
): ReadonlyMap<string, number> {
  const firstOfCall = new Map<string, number>()
  for (let index = 0; index < spans.length; index++) {
    const { kind, toolCallId } = spans[index] as ResolveInput
    if (kind !== 'tool' || toolCallId === null) continue
    const first = firstOfCall.get(toolCallId)
    if (first === undefined || bySeniority(index, first) < 0) firstOfCall.set(toolCallId, index)
  }
  return firstOfCall
}

/** The calls of a kind with no other of their kind inside that tells of the same. */
function listInnermost(spans: readonly ResolveInput[], of: Kind, marks: readonly number[]): number[] {
  const innermost: number[] = []
  for (let index = 0; index < spans.length; index++) {
    const { kind, hasUsage } = spans[index] as ResolveInput
    if (kind === of && isCountedCall(hasUsage, marks[index] ?? 0)) innermost.push(index)
  }
  return innermost
}

const counts = 1
const isToldTwice = 2

/** For each span, whether it counts and whether its call is told twice. */
function markCalls(
  spans: readonly ResolveInput[],
  { order, parents }: TraceTree,
  bySeniority: (a: number, b: number) => number,
): number[] {
  const counted = fill(spans.length, 0)
  for (const kind of ['llm', 'embedding'] as const) {
    const innermost = listInnermost(spans, kind, markNesting(spans, order, parents, kind))
    const told = findToldTwice(spans, innermost, bySeniority)
    for (const index of innermost) {
      const counting = told.get(index)
      counted[index] =
        (counting === undefined || counting === index ? counts : 0) | (counting === undefined ? 0 : isToldTwice)
    }
  }
  const toolsAround = findToolsAround(spans, order, parents)
  const firstOfCall = findFirstOfCalls(spans, bySeniority)
  for (let index = 0; index < spans.length; index++) {
    const { kind, toolName, toolCallId } = spans[index] as ResolveInput
    if (kind === 'tool' && toolCallId !== null) counted[index] = firstOfCall.get(toolCallId) === index ? 1 : 0
    else if (kind === 'tool') {
      const around = spans[toolsAround[index] ?? -1]
      counted[index] = around === undefined || (toolName !== null && toolName !== around.toolName) ? 1 : 0
    }
  }
  return counted
}

/**
 * Agent, session, user and `counted` of each span, in the order given. Agent: the span's own, else its nearest
 * ancestor's own, else its fallback. Session and user: likewise, but at last those of the trace's root or earliest span
 * that has one. The result does not depend on the order of the spans, nor does it change when it is computed again.
 * Parents may be missing, in a cycle, or given twice. Cost: O(n) and one map of n; 100,000 spans in 0.1 to 0.4 s on one core.
 */
export function resolve(spans: readonly ResolveInput[]): Resolved[] {
  const tree = walkTree(spans)
  const { parents, order, depths, compareAge } = tree
  const bySeniority = (a: number, b: number) => compareAge(a, b, depths)
  const marks = markCalls(spans, tree, bySeniority)
  const agents: (string | null)[] = []
  const sessions: (string | null)[] = []
  const users: (string | null)[] = []
  for (const { agentOwn, sessionOwn, userOwn } of spans) {
    agents.push(agentOwn)
    sessions.push(sessionOwn)
    users.push(userOwn)
  }
  for (const index of order) {
    const parent = parents[index] ?? -1
    if (parent < 0) continue
    agents[index] ??= agents[parent] ?? null
    sessions[index] ??= sessions[parent] ?? null
    users[index] ??= users[parent] ?? null
  }
  const sessionOfTrace = ofTrace(spans, bySeniority, 'sessionOwn')
  const userOfTrace = ofTrace(spans, bySeniority, 'userOwn')
  const resolved: Resolved[] = []
  for (let index = 0; index < spans.length; index++) {
    resolved.push({
      agentName: agents[index] ?? (spans[index] as ResolveInput).agentFallback,
      sessionId: sessions[index] ?? sessionOfTrace,
      userId: users[index] ?? userOfTrace,
      counted: ((marks[index] ?? 0) & counts) !== 0,
      toldTwice: ((marks[index] ?? 0) & isToldTwice) !== 0,
    })
  }
  return resolved
}
