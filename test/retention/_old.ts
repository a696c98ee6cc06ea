// Events of some days ago, stored as ingest stores them.

import type { Event } from '../../src/event/event.ts'
import { storeGroup } from '../../src/ingest/commit/store-group.ts'
import { type BatchOptions, makeBatch, makeEvent } from '../_kit/batch.ts'
import type { TestDatabase } from '../_kit/db.ts'

const dayMs = 86_400_000
/** One moment for all: other days are other chunks and the same ones the same, though midnight may pass while they are stored. */
const nowMs = Date.now()

/** `count` events, each a trace of its own, all at the same microsecond so many days ago. */
export function makeOld(days: number, count = 1): Event[] {
  const startTimeUnixNano = BigInt(Math.round(nowMs - days * dayMs)) * 1_000_000n
  return Array.from({ length: count }, () => makeEvent({ startTimeUnixNano, durationUs: 1_000_000 }))
}

/** Gives how many were stored. */
export async function storeOld(
  base: TestDatabase,
  workspaceId: string,
  events: readonly Event[],
  options: BatchOptions = {},
): Promise<number> {
  const [outcome] = await storeGroup(base.front, [makeBatch(workspaceId, events, options)])
  return outcome?.stored ?? 0
}

/** Rows of a workspace in each table, and how many days ago its events started, oldest first. */
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
