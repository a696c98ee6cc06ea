// Rows of the tables that grow with workspaces and not with traffic: enough that reading them by a wrong index costs several times as much.
// For an empty table, the planner considers all indexes equally good.
import type { TestDatabase } from '../_kit/db.ts'

/** The workspace is the test's own, and has more decisions and findings than any other. */
export async function fillSmallTables({ query }: Pick<TestDatabase, 'query'>, workspace: string): Promise<void> {
  await query(`insert into orgs (id, name) select md5('org' || n)::uuid, 'org' from generate_series(1, 200) n`)
  await query(
    `insert into workspaces (id, org_id, name, plan, redaction_secret)
     select w, md5('org' || 1 + n % 200)::uuid, 'workspace ' || n, 'free', '\\x00' from ${workspaces}`,
    [workspace],
  )
  await query(
    `insert into agents (workspace_id, id, name, first_seen, last_seen)
     select w, md5(w || 'agent' || m)::uuid, 'agent ' || m, ${time} - interval '1 day', ${time}
     from ${busyWorkspaces}, generate_series(1, 200) m`,
    [workspace],
  )
  await query(
    `insert into decisions (id, workspace_id, type, state, tool_name, input_hash, agent_id, config, measured_at, activated_at,
       disabled_at, changed_at)
     select md5(w || 'decision' || m)::uuid, w, 'reuse_identity', (array['proposed', 'shadow', 'active', 'disabled'])[m % 4 + 1],
       'tool ' || m % 97, md5(m::text) || md5(m::text), case when m % 2 = 0 then md5(w || 'agent' || 1 + m % 200)::uuid end, '{}',
       ${time}, ${time}, ${time}, ${time}
     from ${busyWorkspaces}, generate_series(1, case when w = $1 then 2000 else 200 end) m`,
    [workspace],
  )
  await query(
    `insert into api_keys (id, workspace_id, name, key_prefix, digest, created_by)
     select md5(w || 'key' || m)::uuid, w, 'key', 'prefix', sha256((w || 'key' || m)::bytea), w
     from ${busyWorkspaces}, generate_series(1, 200) m`,
    [workspace],
  )
  await query(
    `insert into decision_transitions (id, workspace_id, decision_id, to_state, actor, at)
     select md5(id || 'transition' || m)::uuid, workspace_id, id, 'proposed', 'gate', changed_at
     from decisions, generate_series(1, 2) m`,
  )
  await query(
    `insert into findings (id, workspace_id, type, subject, severity, status, title, detail, occurrences, evidence, first_seen, last_seen)
     select md5(w || 'finding' || m)::uuid, w, 'repeated_tool_call', 'subject ' || m, 'info',
       case when m % 3 = 0 then 'resolved' else 'open' end, 'title', 'detail', 1, '{}', ${time}, ${time}
     from ${busyWorkspaces}, generate_series(1, case when w = $1 then 2000 else 200 end) m`,
    [workspace],
  )
  await query(
    `insert into task_types (workspace_id, id, name) select w, md5(w || 'task' || m)::uuid, 'task ' || m
     from ${workspaces}, generate_series(1, 40) m`,
    [workspace],
  )
  await query(`insert into optimizer_progress (workspace_id) select w from ${workspaces}`, [workspace])
  await fillCounts({ query }, workspace)
}

/** Fills the counts of workspaces by day and month, and the rows of their loops. */
async function fillCounts({ query }: Pick<TestDatabase, 'query'>, workspace: string): Promise<void> {
  // For the test's own workspace, the commits and days are those of its events.
  await query(
    `insert into commits (workspace_id, xid, at, events, first_start_time, last_start_time)
     select w, (m * 3)::text::xid8, ${time}, 1, ${time}, ${time} from ${workspaces}, generate_series(1, 20) m where w <> $1`,
    [workspace],
  )
  await query(
    `insert into usage_days (workspace_id, day) select w, date '2026-01-01' + m from ${workspaces}, generate_series(1, 40) m
     where w <> $1`,
    [workspace],
  )
  await query(
    `insert into usage_months (workspace_id, month) select w, date '2020-01-01' + m * interval '1 month'
     from ${workspaces}, generate_series(0, 24) m`,
    [workspace],
  )
  await query(
    `insert into usage_rejections (workspace_id, month, reason, count, last_seen, example)
     select w, date '2020-01-01' + m * interval '1 month', 'reason ' || k, 1, ${time}, '' from ${workspaces},
       generate_series(0, 9) m, generate_series(1, 3) k`,
    [workspace],
  )
  await query(
    `insert into rollup_work (workspace_id, kind, start_time, end_time, due_at)
     select w, m % 3, ${time}, ${time}, ${time} from ${workspaces}, generate_series(1, 6) m`,
    [workspace],
  )
}

/** $1 and `others` other workspaces. */
const listWorkspaces = (others: number): string =>
  `(select $1::uuid as w, 0 as n union all select md5('workspace' || n)::uuid, n from generate_series(1, ${others}) n) each_workspace`
const workspaces = listWorkspaces(200)
/** Workspaces whose agents run, and which are optimized. */
const busyWorkspaces = listWorkspaces(20)
const time = `timestamptz '2026-02-20' + (n * 31 + m) * interval '1 minute'`
