-- Finds the earliest start (µs) of the executions of a subject that transactions from $5 on have stored; null where there is none.
-- $2 tool, $3 version or null, $4 agent or null, $6: earlier starts (µs, or null) are not accepted
-- Rows of a restored copy of another database keep the transaction numbers that they had there. They are not late: numbers that this
-- database has not assigned yet are left out, and those of old rows whose numbers it reaches later, by their start.
-- The minimum is taken over a materialized set; otherwise the planner would read the whole history in the order of time.
-- index: events_unread_commits
with late as materialized (
  select e.start_time
  from events e
  where e.workspace_id = $1 and e.tool_name = $2 and e.attested_unread and not e.served and e.kind = 'tool'
    and e.tool_version is not distinct from $3::text and ($4::uuid is null or e.agent_id = $4)
    and e.inserted_xid >= $5::text::xid8 and e.inserted_xid < pg_snapshot_xmax(pg_current_snapshot())
    and ($6::bigint is null or e.start_time >= 'epoch'::timestamptz + $6::bigint * interval '1 microsecond')
)
select (extract(epoch from min(start_time)) * 1000000)::bigint as start_us from late
