// Charts the outcomes of received spans by day of one month.
import type { Database } from '../store/database.ts'
import { type Period, readDate } from './period.ts'

export type UsageOutcomes = {
  stored: number
  duplicate: number
  rejected: number
  dropped_quota: number
  dropped_agent_cap: number
}
export type UsageDay = UsageOutcomes & { readonly start: Date }

const dayMs = 86_400_000
const none: UsageOutcomes = { stored: 0, duplicate: 0, rejected: 0, dropped_quota: 0, dropped_agent_cap: 0 }

/** Returns one entry for each day of the period, in order; zeros for a day on which nothing was received. */
export async function chartUsage(
  { db }: { readonly db: Database },
  workspaceId: string,
  { start, end }: Period,
): Promise<UsageDay[]> {
  const values = [workspaceId, readDate(start), readDate(end)]
  const rows = await db.rows<UsageOutcomes & { day: string }>('usage/list-days', values)
  const byDay = new Map(rows.map(({ day, ...outcomes }) => [day, outcomes]))
  const days = Math.round((end.getTime() - start.getTime()) / dayMs)
  return Array.from({ length: days }, (_, at) => {
    const day = new Date(start.getTime() + at * dayMs)
    return { ...(byDay.get(readDate(day)) ?? none), start: day }
  })
}
