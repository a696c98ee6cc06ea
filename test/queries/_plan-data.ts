// A database with enough rows that an index is the natural plan: one workspace that a test reads, and many rows of others.
import type { TestDatabase } from '../_kit/db.ts'
import { hexId, storeEvents } from '../_kit/events.ts'
import { makeRandom } from '../_kit/random.ts'
import { inSoak } from '../_kit/soak.ts'
import { disableAutovacuum, gatherStatistics } from '../_kit/statistics.ts'
import { makeEvents } from './_data.ts'
import { fillSmallTables } from './_plan-small.ts'

const fromMs = Date.parse('2026-02-20T00:00:00Z')
const lengthMs = 20 * 86_400_000

/** The workspace that the tests read. */
export const planWorkspace = '6f1b8c52-93a4-4d07-8e5b-21c7d0f4a963'

/** The workspace with the many rows: events at equal intervals over 18 days, eight to a trace. */
export const crowdedWorkspace = 'b3d7402e-5c19-4f86-9a3d-7e60f81c25d4'
export const crowdedEvents = inSoak(20_000, 40_000)
const crowdedS = 1_600_000

/** Returns the snapshot before the last event of `planWorkspace` was stored. Every page is marked as all-visible. */
export async function fillForPlans(db: Pick<TestDatabase, 'query' | 'url'>): Promise<string> {
  const workspace = planWorkspace
  await disableAutovacuum(db)
  await fillSmallTables(db, workspace)
  const seeds = makeEvents(makeRandom(1), 3_000, fromMs, lengthMs)
  await storeEvents(
    db.query,
    workspace,
    seeds.sort((a, b) => (a.start < b.start ? -1 : 1)),
  )
  await db.query(
    `insert into events (workspace_id, start_time, trace_id, span_id, agent_id, agent_fallback, kind, counted, name, status,
       finish_reasons, attested, attested_unread, served, holdout, consumed_tool_call_ids, read_tool_call_ids, flags, tool_name, input_hash,
       scope_hash)
     select $1, '2026-02-20T00:00:00Z'::timestamptz + n * $3::float8 * interval '1 second', decode(md5((n / 8)::text), 'hex'),
       decode(lpad(to_hex(n), 16, '0'), 'hex'), $1, 'other', 'tool', true, 'tool', 'ok', '{}', n % 4 = 1, n % 4 = 2, false, false, '{}', '{}',
       '{}', 'tool ' || n % 9, 'hash ' || n % 999, 'scope ' || n % 997
     from generate_series(1, $2::int) n`,
    [crowdedWorkspace, crowdedEvents, crowdedS / crowdedEvents],
  )
  await db.query(
    `insert into traces (workspace_id, trace_id, start_time, end_time, has_root, name, name_start_time, agent_id, span_count,
       llm_calls, tool_calls, served_calls, holdout_calls, error_count, input_tokens, output_tokens, cached_tokens,
       cache_write_tokens, unpriced_calls, models, tools, settled, last_received_at)
     select workspace_id, trace_id, min(start_time), max(start_time), true, 'trace', min(start_time), workspace_id, count(*),
       0, count(*), 0, 0, 0, 0, 0, 0, 0, 0, '{}', '{}', true, now()
     from events where workspace_id <> $1 group by 1, 2`,
    [workspace],
  )
  await db.query(
    `insert into payload_blocks (workspace_id, id, start_time, body)
     select workspace_id, gen_random_uuid(), start_time, '\\x00' from events`,
    [],
  )
  await db.query(
    `insert into tool_results (workspace_id, start_time, trace_id, span_id, ciphertext, iv, tag)
     select workspace_id, start_time, trace_id, span_id, '\\x00', '\\x00', '\\x00' from events where workspace_id <> $1`,
    [workspace],
  )
  const [row] = await db.query<{ snapshot: string }>('select pg_current_snapshot()::text as snapshot')
  await storeEvents(db.query, workspace, [
    { start: '2026-02-28T00:00:00Z', trace: hexId(7, 32), span: hexId(9_999, 16) },
  ])
  await gatherStatistics(db)
  return row?.snapshot ?? ''
}
