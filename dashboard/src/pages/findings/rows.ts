// What the list shows of the answers: each finding once, with the status that it is being given, while it still belongs to the list.
import type { Schemas } from '../../api/client.ts'
import type { Status } from './list-search.ts'

type Finding = Schemas['Finding']

/** The list is live, so that a finding can be on two pages. */
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

/** Where to go on once some rows have left: the next row that stays, else the one before; null where none stays. */
export function findNeighbour(rows: readonly { readonly id: string }[], leaving: ReadonlySet<string>): string | null {
  const last = rows.findLastIndex(({ id }) => leaving.has(id))
  const next = rows.slice(last + 1).find(({ id }) => !leaving.has(id))
  const before = rows.slice(0, Math.max(0, last)).findLast(({ id }) => !leaving.has(id))
  return next?.id ?? before?.id ?? null
}

/** What was seen, where it was too short for a month: that is the least it costs a month. */
export function readSeenUsd({ evidence }: Pick<Finding, 'evidence'>): number | null {
  const price = evidence['price']
  const seen = typeof price === 'object' && price !== null && 'seen_usd' in price ? price.seen_usd : null
  return typeof seen === 'number' ? seen : null
}

export const readTraceIds = ({ evidence }: Pick<Finding, 'evidence'>): string[] =>
  Array.isArray(evidence['trace_ids']) ? evidence['trace_ids'].filter((id) => typeof id === 'string') : []
