-- Reads the counts of a subject; null columns where there are none. `xmin`: all earlier transactions have ended, and the next statement
-- sees what they stored. `is_restored`: the row comes from a restored copy of another database, whose transactions had other numbers.
-- $2 tool, $3 version or null, $4 agent or null
-- scope: $1
-- index: unread_evidence_workspace_id_tool_name_tool_version_agent_i_key
select pg_snapshot_xmin(pg_current_snapshot())::text as xmin, u.next_xid::text as next_xid,
  u.next_xid > pg_snapshot_xmax(pg_current_snapshot()) as is_restored, u.state
from (select) one
left join unread_evidence u on u.workspace_id = $1 and u.tool_name = $2 and u.tool_version is not distinct from $3::text
  and u.agent_id is not distinct from $4::uuid
