// Groups wrong trials by their position on the time axis, since single ticks would overlap.
import type { Schemas } from '../../api/client.ts'
import type { Grid } from './grid.ts'

export type Trial = Schemas['DecisionTrial']
export type Tick = { readonly place: number; readonly trials: number; readonly newest: Trial }

/** `places`: how many ticks fit next to each other. `trials`: oldest first. */
export function groupTicks(trials: readonly Trial[], { x, intervalMs }: Grid, places: number): Tick[] {
  const fromMs = x[0]
  const toMs = (x.at(-1) ?? 0) + intervalMs
  if (fromMs === undefined || places < 1) return []
  const groups = Map.groupBy(trials, ({ at }) => Math.floor(((Date.parse(at) - fromMs) / (toMs - fromMs)) * places))
  return [...groups].flatMap(([place, own]) => {
    const newest = own.at(-1)
    return newest === undefined || place < 0 || place >= places ? [] : [{ place, trials: own.length, newest }]
  })
}
