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
  const price = evidence['price']
  const seen = typeof price === 'object' && price !== null && 'seen_usd' in price ? price.seen_usd : null
  return typeof seen === 'number' ? seen : null
}

export const readTraceIds = ({ evidence }: Pick<Finding, 'evidence'>): string[] =>
  Array.isArray(evidence['trace_ids']) ? evidence['trace_ids'].filter((id) => typeof id === 'string') : []
