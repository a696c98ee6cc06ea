// Events of some days ago, stored as ingest stores them.

import type { Event } from '../../src/event/event.ts'
import { storeGroup } from '../../src/ingest/commit/store-group.ts'
import { type BatchOptions, makeBatch, makeEvent } from '../_kit/batch.ts'
import type { TestDatabase } from '../_kit/db.ts'

const dayMs = 86_400_000
/**
 * One base time for all: different days are in different chunks and equal days in the same one, though midnight may pass while they are
 * stored.
 */
const nowMs = Date.now()

/** Returns `count` events, each in its own trace, all at the same microsecond `days` days ago. */
export function makeOld(days: number, count = 1): Event[] {
  const startTimeUnixNano = BigInt(Math.round(nowMs - days * dayMs)) * 1_000_000n
  return Array.from({ length: count }, () => makeEvent({ startTimeUnixNano, durationUs: 1_000_000 }))
}

/** Returns how many were stored. */
export async function storeOld(
  base: TestDatabase,
  workspaceId: string,
  events: readonly Event[],
  options: BatchOptions = {},
): Promise<number> {
  const [outcome] = await storeGroup(base.front, [makeBatch(workspaceId, events, options)])
  return outcome?.stored ?? 0
}

/** Returns the rows of a workspace in each table, and the ages of its events in days, oldest first. */
export async function readKept(base: TestDatabase, workspaceId: string) {
  const [row] = await base.query<{ events: number; payloads: number; traces: number; days: number[] | null }>(
    `select (select count(*)::int from events where workspace_id = $1) as events,
       (select count(*)::int from events e join payload_blocks p on p.workspace_id = e.workspace_id and p.id = e.payload_id
         where e.workspace_id = $1) as payloads,
       (select count(*)::int from traces where workspace_id = $1) as traces,
       (select array_agg(day order by day desc) from (
          select distinct round(extract(epoch from now() - start_time) / 86400)::int as day from events where workspace_id = $1
        ) d) as days`,
    [workspaceId],
  )
  return row
}
