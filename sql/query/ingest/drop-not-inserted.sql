-- Rows that another transaction had stored leave the stage, so that all that follows counts only what this one stored. One
-- look into the index a row: as a join, the planner might read all of events for it.
-- index: events_pkey
delete from stage s
where (
  select e.inserted_xid from events e
  where e.workspace_id = s.workspace_id and e.start_time = s.start_time and e.trace_id = s.trace_id and e.span_id = s.span_id
) is distinct from pg_current_xact_id()
