// Facts that the overview derives from the responses of the API.
import type { Schemas } from '../../api/client.ts'
import type { Bounds } from '../../window/index.ts'

type Breakdown = Schemas['StatsBreakdown']

/** Returns the cost in USD of all rows, including those that are not shown. */
export const sumCost = ({ items, other }: Breakdown): number =>
  [...items, ...(other === null ? [] : [other])].reduce((sum, row) => sum + row.cost_usd, 0)

/** Returns the number of events of all rows, including those that are not shown. It replaces the cost where the rows have none. */
export const countEvents = ({ items, other }: Breakdown): number =>
  [...items, ...(other === null ? [] : [other])].reduce((sum, row) => sum + row.events, 0)

/** Returns the rules that cost more than they save, the worst first. */
export const losingRules = ({ decisions }: Pick<Schemas['Savings'], 'decisions'>): Schemas['Savings']['decisions'] =>
  decisions.filter(({ net_usd: netUsd }) => netUsd < 0).toSorted((a, b) => a.net_usd - b.net_usd)

/** Returns the time of the newest event of any agent in milliseconds; null if there are no agents. */
export function findNewest(agents: readonly Pick<Schemas['Agent'], 'last_seen'>[]): number | null {
  const times = agents.map(({ last_seen: lastSeen }) => Date.parse(lastSeen))
  return times.length === 0 ? null : Math.max(...times)
}

/** Returns whether the newest event is before the window. The page then offers to show it. */
export const isBefore = (newestMs: number, { from }: Bounds): boolean => newestMs < Date.parse(from)

// Each of them costs a request for its transitions.
const maxDisabled = 10
const shownTrips = 3

/** Returns the first ten rules that were active and then disabled within the window, by the gate or by a person. */
export const disabledIn = <D extends Pick<Schemas['Decision'], 'previous_state' | 'disabled_at'>>(
  decisions: readonly D[],
  { from, to }: Bounds,
): readonly D[] =>
  decisions
    .filter(({ previous_state: before, disabled_at: at }) => {
      const ms = before === 'active' && at !== null ? Date.parse(at) : Number.NaN
      return ms >= Date.parse(from) && ms < Date.parse(to)
    })
    .slice(0, maxDisabled)

/** Returns the newest transition if the gate disabled the rule by it. Null: it is another transition, or one by a person. */
export function findTrip<T extends Pick<Schemas['DecisionTransition'], 'to_state' | 'actor' | 'at'>>(
  trail: readonly T[],
): T | null {
  const last = trail.toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at))[0]
  return last?.to_state === 'disabled' && last.actor === 'gate' ? last : null
}

/** Returns the first three rules that the gate disabled, each with the transition. `trails` has the transitions of each rule; undefined: not loaded. */
export const listTrips = <D, T extends Pick<Schemas['DecisionTransition'], 'to_state' | 'actor' | 'at'>>(
  disabled: readonly D[],
  trails: readonly (readonly T[] | undefined)[],
): readonly { readonly decision: D; readonly move: T }[] =>
  disabled
    .flatMap((decision, index) => {
      const move = findTrip(trails[index] ?? [])
      return move === null ? [] : [{ decision, move }]
    })
    .slice(0, shownTrips)
