-- Finds the earliest start (µs) of the executions of a subject that transactions from $5 on have stored; null where there is none.
-- $2 tool, $3 version or null, $4 agent or null
-- The minimum is taken over a materialized set; otherwise the planner would read the whole history in the order of time.
-- index: events_unread_commits
with late as materialized (
  select e.start_time
  from events e
  where e.workspace_id = $1 and e.tool_name = $2 and e.attested_unread and not e.served and e.kind = 'tool'
    and e.tool_version is not distinct from $3::text and ($4::uuid is null or e.agent_id = $4) and e.inserted_xid >= $5::text::xid8
)
select (extract(epoch from min(start_time)) * 1000000)::bigint as start_us from late
