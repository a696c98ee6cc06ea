// The outcomes of received spans. Each span has exactly one outcome.
import type { Schemas } from '../../api/client.ts'
import type { Slot } from '../../charts/index.ts'

export type Outcome = 'stored' | 'duplicate' | 'rejected' | 'dropped_quota' | 'dropped_agent_cap'

export type OutcomeFacts = {
  readonly key: Outcome
  readonly label: string
  readonly slot: Slot
  readonly meaning: string
}

export const outcomes: readonly OutcomeFacts[] = [
  { key: 'stored', label: 'Stored', slot: 3, meaning: 'In the store, and counted towards the quota.' },
  {
    key: 'duplicate',
    label: 'Duplicate',
    slot: 0,
    meaning: 'Sent again by an exporter that did not receive the response. The span is stored once and counts once.',
  },
  {
    key: 'rejected',
    label: 'Rejected',
    slot: 2,
    meaning: 'Could not be decoded or stored. This does not affect other spans of the same request.',
  },
  {
    key: 'dropped_quota',
    label: 'Dropped: quota',
    slot: 4,
    meaning: 'Arrived after the event quota of the month was used up. A span that is sent again is dropped again.',
  },
  {
    key: 'dropped_agent_cap',
    label: 'Dropped: agent cap',
    slot: 5,
    meaning:
      'Sent by an agent beyond the number of agents that the plan allows. A span that is sent again is dropped again.',
  },
]

type Day = Pick<Schemas['UsageDay'], Outcome | 'time'>

export type Totals = Readonly<Record<Outcome, number>> & { readonly received: number }

/** Sums the outcomes. `received` is the total of all outcomes: no span is lost, and none counts twice. */
export function sumOutcomes(days: readonly Day[]): Totals {
  const totals = { stored: 0, duplicate: 0, rejected: 0, dropped_quota: 0, dropped_agent_cap: 0 }
  for (const day of days) {
    for (const { key } of outcomes) totals[key] += day[key]
  }
  return { ...totals, received: outcomes.reduce((sum, { key }) => sum + totals[key], 0) }
}

const dayMs = 86_400_000
const paceDays = 7

export type Projection = {
  /** The number of events at the end of the period at the present pace. */
  readonly atEnd: number
  /** The time in milliseconds at which the quota is used up at the present pace. Null: not in this period, or it is already used up. */
  readonly exhaustedAtMs: number | null
}

/**
 * Projects the usage from the mean of the last seven whole days. Days before the first span of the month are left out, since the
 * workspace may not have existed then. Returns null if no whole day has passed since.
 */
export function projectUsage(
  days: readonly Day[],
  {
    used,
    quota,
    nowMs,
    endMs,
  }: { readonly used: number; readonly quota: number; readonly nowMs: number; readonly endMs: number },
): Projection | null {
  const first = days.findIndex((day) => outcomes.some(({ key }) => day[key] > 0))
  const past = days
    .slice(Math.max(0, first))
    .filter(({ time }) => Date.parse(time) + dayMs <= nowMs)
    .slice(-paceDays)
  if (past.length === 0) return null
  const perMs = past.reduce((sum, { stored }) => sum + stored, 0) / (past.length * dayMs)
  const atEnd = Math.round(used + perMs * Math.max(0, endMs - nowMs))
  if (used >= quota || perMs === 0) return { atEnd, exhaustedAtMs: null }
  const exhaustedAtMs = nowMs + (quota - used) / perMs
  return { atEnd, exhaustedAtMs: exhaustedAtMs < endMs ? exhaustedAtMs : null }
}
