// The rows of the list: each finding once, with its pending status applied, if it still matches the status of the list.
import type { Schemas } from '../../api/client.ts'
import type { Status } from './list-search.ts'

type Finding = Schemas['Finding']

/** Removes duplicates: the list changes while its pages load, so a finding can be on two of them. */
export function listRows(
  pages: readonly { readonly items: readonly Finding[] }[],
  changing: ReadonlyMap<string, Status>,
  status: Status | undefined,
): Finding[] {
  const known = new Map<string, Finding>()
  for (const { items } of pages) for (const item of items) if (!known.has(item.id)) known.set(item.id, item)
  return [...known.values()]
    .map((item) => ({ ...item, status: changing.get(item.id) ?? item.status }))
    .filter((item) => status === undefined || item.status === status)
}

/** Returns the id of the row to focus after some rows leave: the next remaining row, otherwise the previous one; null if none remains. */
export function findNeighbour(rows: readonly { readonly id: string }[], leaving: ReadonlySet<string>): string | null {
  const last = rows.findLastIndex(({ id }) => leaving.has(id))
  const next = rows.slice(last + 1).find(({ id }) => !leaving.has(id))
  const before = rows.slice(0, Math.max(0, last)).findLast(({ id }) => !leaving.has(id))
  return next?.id ?? before?.id ?? null
}

/** Returns the observed cost in USD if the observation was too short for a monthly estimate. It is a lower bound of the monthly cost. */
export function readSeenUsd({ evidence }: Pick<Finding, 'evidence'>): number | null {
  const { seen_usd: seen } = asRecord(evidence['price'])
  return typeof seen === 'number' ? seen : null
}

/** Returns the title of the finding that contains the cost of this one; null if none does. */
export function readContainer({ evidence }: Pick<Finding, 'evidence'>): string | null {
  const price = asRecord(evidence['price'])
  const title = asRecord(price['contained_in'])['title']
  return typeof title === 'string' ? title : null
}

/** `24 h`, `7 d`, `a sample`: the time in which the occurrences were counted. Null: an older release stored the finding. */
export function namePeriod({ evidence }: Pick<Finding, 'evidence'>): string | null {
  const { hours, is_sample: isSample } = asRecord(evidence['looked_at'])
  if (isSample === true) return 'a sample'
  if (typeof hours !== 'number') return null
  // Some detectors look an hour further back, to the full hour.
  const days = Math.floor(hours / 24)
  return days === 1 ? '24 h' : `${days} d`
}

export const asRecord = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

export const readTraceIds = ({ evidence }: Pick<Finding, 'evidence'>): string[] =>
  Array.isArray(evidence['trace_ids']) ? evidence['trace_ids'].filter((id) => typeof id === 'string') : []
