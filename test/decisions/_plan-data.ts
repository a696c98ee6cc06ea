// Five days of events, on which the plans of the gate's statements are checked.
import type { ExecutionContext } from 'ava'
import pg from 'pg'
import { makeDatabase, type TestDatabase } from '../_kit/db.ts'
import { explainFor, listUnread, listWholeReads, readPromise } from '../_kit/plans.ts'
import { inSoak } from '../_kit/soak.ts'
import { disableAutovacuum, gatherStatistics, wholeSamples } from '../_kit/statistics.ts'

export const fromMs = Date.parse('2026-03-01T00:00:00Z')
/** Start of the last of the five days: the measured phase. */
export const beganUs = (fromMs + 4 * 86_400_000) * 1_000
/** The time between two events. */
export const everyS = inSoak(12, 6)
export const eventCount = (5 * 86_400) / everyS

export type PlanData = {
  /** Uses the service's pool. */
  readonly db: TestDatabase['db']
  /** Its samples for statistics hold whole tables. */
  readonly client: pg.Client
  readonly stop: () => Promise<void>
}

/** `fill` stores the events and the other rows that the statements read, but not the traces. */
export async function openPlanData(fill: (db: TestDatabase) => Promise<void>): Promise<PlanData> {
  const db = await makeDatabase()
  await db.query('select set_chunk_hours(744)')
  await disableAutovacuum(db)
  await fill(db)
  await fillTraces(db)
  await gatherStatistics(db)
  const client = new pg.Client({ connectionString: db.url, options: wholeSamples })
  await client.connect()
  return {
    db: db.db,
    client,
    async stop() {
      await client.end()
      await db.stop()
    },
  }
}

async function fillTraces({ query }: TestDatabase): Promise<void> {
  await query(
    `insert into traces (workspace_id, trace_id, start_time, end_time, has_root, name, name_start_time, agent_id, session_id,
       span_count, llm_calls, tool_calls, served_calls, holdout_calls, error_count, input_tokens, output_tokens, cached_tokens,
       cache_write_tokens, unpriced_calls, models, tools, settled, last_received_at)
     select workspace_id, trace_id, min(start_time), max(start_time), true, 'trace', min(start_time), workspace_id, min(session_id),
       count(*), 0, count(*), 0, 0, 0, 0, 0, 0, 0, 0, '{}', '{}', true, now()
     from events group by 1, 2`,
  )
}

/** Checks that the statement, for these values, reads the indexes that it names, and no growing table as a whole. */
export async function keepsPromise(
  t: ExecutionContext,
  client: pg.Client,
  name: string,
  values: readonly unknown[],
): Promise<void> {
  const nodes = await explainFor(client, name, values)
  t.true(readPromise(name).length > 0, name)
  t.deepEqual(listUnread(name, nodes), [], `${name} leaves an index unread`)
  t.deepEqual(listWholeReads(nodes), [], `${name} reads a whole table`)
}
