// Floor 3. Where a window cuts a minute: which of these pieces are counted from events, and which by the row of their minute.
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
 * all otherwise. One query each.
 */
export async function sortEdges(
  on: Runner,
  workspaceId: string,
  edges: readonly Span[],
  maxEvents: number,
): Promise<Edges> {
  const exact: Span[] = []
  const whole = new Map<number, Span>()
  const minuteOf = (edge: Span): number => floorTo(edge.fromMs, tiers.minute)
  for (const [minute, pieces] of Map.groupBy(edges, minuteOf)) {
    const [edge] = pieces
    // Cut more than once, so that no piece may stand for all of it.
    if (edge === undefined || pieces.length > 1) {
      exact.push(...pieces)
      continue
    }
    const times = [edge.fromMs, edge.toMs, minute, minute + minuteMs].map((ms) => new Date(ms))
    const probed = await on.row<{ cut: boolean; events: number }>('rollups/probe-edge', [
      workspaceId,
      ...times,
      maxEvents + 1,
    ])
    if (probed === null || (probed.cut && probed.events <= maxEvents)) exact.push(edge)
    else if (!probed.cut || edge.toMs - edge.fromMs >= minuteMs / 2) whole.set(minute, edge)
  }
  return { exact, whole }
}
