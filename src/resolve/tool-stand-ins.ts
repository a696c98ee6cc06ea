// Decides between a tool span and one around it that reports the same call.
import { isSameTool, type NamedTool } from './same-tool.ts'
import type { SdkMark } from './tool-reports.ts'
import { fill } from './trace-tree.ts'

type NestedTool = NamedTool & {
  readonly kind: string
  readonly toolCallId: string | null
  readonly sdkMark: SdkMark
}

/** Returns the index of the nearest tool span around each span, without an llm or agent span between them; -1 where there is none. */
export function findToolsAround(
  spans: readonly NestedTool[],
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

export const isToldAround = (span: NestedTool, around: NestedTool | undefined): boolean =>
  around !== undefined && (span.toolName === null || isSameTool(span, around))

/** Whether the tool span around reports the same call without its id. Nested spans of one scope are separate calls. */
export const isToldBesideId = (span: NestedTool, around: NestedTool | undefined): boolean =>
  span.toolCallId !== null &&
  span.toolName !== null &&
  around !== undefined &&
  around.toolCallId === null &&
  around.scopeName !== span.scopeName &&
  isSameTool(span, around)

/**
 * Returns, by the index of a tool span, the index of the span inside it that counts in its place. This is the span of our SDK, if a
 * framework around it reports the call too: otherwise the served, held out and attested calls would not be counted. An SDK span that is
 * only attested does not replace an outer span if only the outer span has the id of the call. `isTold`: whether the tool span around a span
 * reports the same call.
 */
export function findStandIns(
  spans: readonly NestedTool[],
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
