// Where a window cuts a minute: which of these pieces are counted from events, and which by the row of their minute.
import type { Runner } from '../store/database.ts'
import type { Span } from './spans.ts'
import { floorTo, minuteMs, tiers } from './tiers.ts'

export type Edges = {
  /** To be counted from their events. */
  readonly exact: readonly Span[]
  /** By the start of the minute that stands for them. */
  readonly whole: ReadonlyMap<number, Span>
}

/**
 * A minute all of whose events are inside the window is as good as whole: mostly the last one of a window that ends now. One with
 * more events in the piece than `maxEvents` would take too long: it counts whole where the window has at least half of it, and not at
 * all otherwise. Only those that are `over` are sorted. One query.
 */
export async function sortEdges(
  on: Runner,
  workspaceId: string,
  edges: readonly Span[],
  over: ReadonlySet<Span>,
  maxEvents: number,
): Promise<Edges> {
  const exact: Span[] = []
  const whole = new Map<number, Span>()
  const doubtful: { readonly edge: Span; readonly minute: number }[] = []
  for (const [minute, pieces] of Map.groupBy(edges, (edge) => floorTo(edge.fromMs, tiers.minute))) {
    const [edge] = pieces
    // Cut more than once, so that no piece may stand for all of it.
    if (edge === undefined || pieces.length > 1) exact.push(...pieces.filter((piece) => over.has(piece)))
    else if (over.has(edge)) doubtful.push({ edge, minute })
  }
  const probed = await on.rows<{ cut: boolean; events: number }>('rollups/probe-edges', [
    workspaceId,
    doubtful.map(({ edge }) => edge.fromMs),
    doubtful.map(({ edge }) => edge.toMs),
    doubtful.map(({ minute }) => minute),
    maxEvents + 1,
  ])
  for (const [nth, { edge, minute }] of doubtful.entries()) {
    const { cut, events } = probed[nth] ?? { cut: true, events: 0 }
    if (cut && events <= maxEvents) exact.push(edge)
    else if (!cut || edge.toMs - edge.fromMs >= minuteMs / 2) whole.set(minute, edge)
  }
  return { exact, whole }
}
