// Decides, where a window cuts a minute, whether the piece is counted from events or by the row of its minute.
import type { Runner } from '../store/database.ts'
import type { TimeSpan } from './spans.ts'
import { floorTo, minuteMs, tiers } from './tiers.ts'

export type Edges = {
  /** Pieces to be counted from their events. */
  readonly exact: readonly TimeSpan[]
  /** Pieces for which the row of a minute counts, by the start of that minute. */
  readonly whole: ReadonlyMap<number, TimeSpan>
}

/**
 * A minute all of whose events are inside the window is read as a whole; mostly the last one of a window that ends now. A piece with more
 * than `maxEvents` events would take too long to count: its whole minute counts if the window covers at least half of it, otherwise nothing
 * does. Decides only the pieces in `over`. One query.
 */
export async function sortEdges(
  on: Runner,
  workspaceId: string,
  edges: readonly TimeSpan[],
  over: ReadonlySet<TimeSpan>,
  maxEvents: number,
): Promise<Edges> {
  const exact: TimeSpan[] = []
  const whole = new Map<number, TimeSpan>()
  const doubtful: { readonly edge: TimeSpan; readonly minute: number }[] = []
  for (const [minute, pieces] of Map.groupBy(edges, (edge) => floorTo(edge.fromMs, tiers.minute))) {
    const [edge] = pieces
    // The minute is cut more than once, so no piece may count as the whole minute.
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
