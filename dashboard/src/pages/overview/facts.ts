// What the overview makes of the answers, apart from how it looks.
import type { Schemas } from '../../api/client.ts'
import type { Bounds } from '../../window/index.ts'

type Breakdown = Schemas['StatsBreakdown']

/** The cost of all rows, those that are not shown included. */
export const sumCost = ({ items, other }: Breakdown): number =>
  [...items, ...(other === null ? [] : [other])].reduce((sum, row) => sum + row.cost_usd, 0)

/** Where the rows of a breakdown have no cost, calls are what sets them apart. */
export const countEvents = ({ items, other }: Breakdown): number =>
  [...items, ...(other === null ? [] : [other])].reduce((sum, row) => sum + row.events, 0)

/** Rules that cost more than they save, the worst first. */
export const losingRules = ({ decisions }: Pick<Schemas['Savings'], 'decisions'>): Schemas['Savings']['decisions'] =>
  decisions.filter(({ net_usd: netUsd }) => netUsd < 0).toSorted((a, b) => a.net_usd - b.net_usd)

/** The moment of the newest event of any agent; null where there has never been one. */
export function findNewest(agents: readonly Pick<Schemas['Agent'], 'last_seen'>[]): number | null {
  const times = agents.map(({ last_seen: lastSeen }) => Date.parse(lastSeen))
  return times.length === 0 ? null : Math.max(...times)
}

/** Whether the newest event lies before the window; the page then offers to show it. */
export const isBefore = (newestMs: number, { from }: Bounds): boolean => newestMs < Date.parse(from)

const shownRules = 3

/** Rules that served calls and were disabled in the window. */
export const disabledIn = <D extends Pick<Schemas['Decision'], 'previous_state' | 'disabled_at'>>(
  decisions: readonly D[],
  { from, to }: Bounds,
): readonly D[] =>
  decisions
    .filter(({ previous_state: before, disabled_at: at }) => {
      const ms = before === 'active' && at !== null ? Date.parse(at) : Number.NaN
      return ms >= Date.parse(from) && ms < Date.parse(to)
    })
    .slice(0, shownRules)

/** The end of a rule by the gate, or null: a person, who knows of it, or none. */
export function findTrip<T extends Pick<Schemas['DecisionTransition'], 'to_state' | 'actor' | 'at'>>(
  trail: readonly T[],
): T | null {
  const last = trail.toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at))[0]
  return last?.to_state === 'disabled' && last.actor === 'gate' ? last : null
}
