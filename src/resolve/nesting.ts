// Decides which of nested spans of one kind report calls: a span often wraps or repeats a nested one.
import type { Kind } from '../event/event.ts'
import { findNearestAround, isCallBoundary } from './nested-reports.ts'
import { fill } from './trace-tree.ts'

/** The fields of a span that these rules need. */
type NestingInput = {
  readonly kind: Kind
  readonly scopeName: string | null
  readonly hasUsage: boolean
  readonly agentOwn: string | null
}

// The bits of `markNesting`: which ancestors and descendants of the given kind a span has. No path crosses a tool or agent span, nor the
// border between the calls of two agents (`markOtherAgents`).
const within = 1 // a descendant
const withUsageWithin = 2 // a descendant with usage
const underInnermost = 4 // an ancestor that has usage, and no descendant with usage

/** Whether two spans of one scope name different agents. */
const isOfOtherAgent = (one: NestingInput, other: NestingInput): boolean =>
  one.scopeName !== null &&
  one.scopeName === other.scopeName &&
  one.agentOwn !== null &&
  other.agentOwn !== null &&
  one.agentOwn !== other.agentOwn

const none: readonly number[] = []

/** Whether spans of a kind with usage name more than one agent. */
function areAgentsMixed(spans: readonly NestingInput[], kind: Kind): boolean {
  let agent: string | null = null
  for (const span of spans) {
    if (span.kind !== kind || !span.hasUsage || span.agentOwn === null) continue
    if (agent !== null && span.agentOwn !== agent) return true
    agent = span.agentOwn
  }
  return false
}

/**
 * Returns 1 for each span with usage whose calls are not those of the nearest one with usage around it, because an instrumentation reports
 * the two for different agents. Such a span is inside the other one, without a tool or an agent between them, where an agent is called in a
 * guardrail or a hook of another one. An empty list means that there are none.
 */
function markOtherAgents(
  spans: readonly NestingInput[],
  order: readonly number[],
  parents: readonly number[],
  kind: Kind,
): readonly number[] {
  if (!areAgentsMixed(spans, kind)) return none
  const reports = (span: NestingInput): boolean => span.kind === kind && span.hasUsage
  const around = findNearestAround(spans, order, parents, reports)
  return spans.map((span, index) => {
    const outer = spans[around[index] ?? -1]
    return outer !== undefined && reports(span) && isOfOtherAgent(span, outer) ? 1 : 0
  })
}

/** Returns the nesting bits of each span for one kind. Descendants are found from the leaves up, then ancestors from the roots down. */
export function markNesting(
  spans: readonly NestingInput[],
  order: readonly number[],
  parents: readonly number[],
  kind: Kind,
): number[] {
  const marks = fill(spans.length, 0)
  const apart = markOtherAgents(spans, order, parents, kind)
  for (let at = order.length - 1; at >= 0; at--) {
    const index = order[at] ?? 0
    const parent = parents[index] ?? -1
    const span = spans[index]
    if (parent < 0 || span === undefined || isCallBoundary(span) || apart[index] === 1) continue
    let up = (marks[index] ?? 0) & (within | withUsageWithin)
    if (span.kind === kind) up |= span.hasUsage ? within | withUsageWithin : within
    marks[parent] = (marks[parent] ?? 0) | up
  }
  for (const index of order) {
    const parent = parents[index] ?? -1
    const above = spans[parent]
    if (above === undefined || isCallBoundary(above) || apart[index] === 1) continue
    const marksAbove = marks[parent] ?? 0
    const isInnermost = above.kind === kind && above.hasUsage && (marksAbove & withUsageWithin) === 0
    if (isInnermost || (marksAbove & underInnermost) !== 0) marks[index] = (marks[index] ?? 0) | underInnermost
  }
  return marks
}

/** Whether a span with these bits has a descendant of its kind. */
export const hasNested = (marks: number): boolean => (marks & within) !== 0

/** Whether a span counts among nested spans of its kind: the innermost one with usage does. If none has usage, the innermost one does. */
export function isCountedCall(hasUsage: boolean, marks: number): boolean {
  if ((marks & withUsageWithin) !== 0) return false
  return hasUsage || (marks & (within | underInnermost)) === 0
}
