// Sorting of the list by any of its columns.

import { states } from '../../decisions/lifecycle.ts'
import { type Decision, readConfig, readScore } from '../../decisions/score.ts'
import { findSince, findWorth } from '../../decisions/worth.ts'

/** The value that each order compares. Null sorts last in both directions. */
const values = {
  tool_name: (decision) => readConfig(decision).toolName.toLowerCase(),
  state: ({ state }) => states.findIndex((known) => known === state),
  trials: (decision) => readScore(decision)?.trials ?? null,
  evidence: (decision) => readScore(decision)?.evidence ?? null,
  wrong_share: (decision) => readScore(decision)?.wrongShareUpper ?? null,
  cost_delta_usd: ({ cost_delta_usd: usd }) => usd,
  latency_delta_ms: ({ latency_delta_ms: ms }) => ms,
  monthly_usd: (decision) => findWorth(decision)?.usd ?? null,
  since: (decision) => Date.parse(findSince(decision)),
  created_at: ({ created_at: time }) => Date.parse(time),
} satisfies Readonly<Record<string, (decision: Decision) => number | string | null>>

export type Order = keyof typeof values
export const orders = Object.keys(values) as Order[]

export type Direction = 'ascending' | 'descending'
export type Sorting = { readonly order: Order; readonly direction: Direction }

/** Parses the form of the URL: a minus before the name means descending. */
export const readSorting = (text: Order | `-${Order}` | undefined): Sorting | null => {
  if (text === undefined) return null
  const isDescending = text.startsWith('-')
  return { order: (isDescending ? text.slice(1) : text) as Order, direction: isDescending ? 'descending' : 'ascending' }
}

/** Returns the sorting after a press of a header: ascending, then descending, then none. */
export function pressSort(sorting: Sorting | null, order: Order): string | null {
  if (sorting?.order !== order) return order
  return sorting.direction === 'ascending' ? `-${order}` : null
}

/** Without a sorting, the decisions keep the order of the API: the most recently changed first. */
export function sortDecisions(decisions: readonly Decision[], sorting: Sorting | null): readonly Decision[] {
  if (sorting === null) return decisions
  const read: (decision: Decision) => number | string | null = values[sorting.order]
  const sign = sorting.direction === 'ascending' ? 1 : -1
  return decisions.toSorted((one, other) => {
    const [a, b] = [read(one), read(other)]
    if (a === null || b === null) return Number(a === null) - Number(b === null)
    return a < b ? -sign : a > b ? sign : 0
  })
}
