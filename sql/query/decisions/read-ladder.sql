-- Reads the progress of the replay of a subject; null columns where it has not begun. `xmin`: all earlier transactions have ended, and the
-- next statement sees what they stored. `xmax`: no transaction with this or a later number has begun; a row with a later one comes from a
-- restored copy of another database. $2 tool, $3 version or null, $4 agent or null, $5 input or null
-- scope: $1
-- index: ladders_workspace_id_tool_name_tool_version_agent_id_input__key
select pg_snapshot_xmin(pg_current_snapshot())::text as xmin, pg_snapshot_xmax(pg_current_snapshot())::text as xmax,
  l.in_history, l.next_xid::text as next_xid, l.next_xid > pg_snapshot_xmax(pg_current_snapshot()) as is_restored,
  l.after_start::text as after_start, l.after_trace, l.after_span, l.invalidated_until::text as invalidated_until, l.state
from (select) one
left join ladders l on l.workspace_id = $1 and l.tool_name = $2 and l.tool_version is not distinct from $3::text
  and l.agent_id is not distinct from $4::uuid and l.input_hash is not distinct from $5::text
