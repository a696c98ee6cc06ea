-- Rows that another transaction had stored leave the stage, so that all that follows counts only what this one stored. One
-- look into the index a row: as a join, the planner might read all of events for it. The key is given as a range too, which no
-- other index can serve: by its trace, a span of a large one would be looked for among all of them.
-- index: events_pkey
delete from stage s
where (
  select e.inserted_xid from events e
  where e.workspace_id = s.workspace_id and e.start_time = s.start_time
    and (e.start_time, e.trace_id, e.span_id) >= (s.start_time, s.trace_id, s.span_id)
    and (e.start_time, e.trace_id, e.span_id) <= (s.start_time, s.trace_id, s.span_id)
) is distinct from pg_current_xact_id()
