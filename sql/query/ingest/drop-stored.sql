-- Spans that are stored already compete neither for a quota nor for the agent cap. One look into the index a row; the key is
-- given as a range too, as in drop-not-inserted.
-- index: events_pkey
delete from stage s
where s.workspace_id = any ($1::uuid[])
  and (
    select true from events e
    where e.workspace_id = s.workspace_id and e.start_time = s.start_time
      and (e.start_time, e.trace_id, e.span_id) >= (s.start_time, s.trace_id, s.span_id)
      and (e.start_time, e.trace_id, e.span_id) <= (s.start_time, s.trace_id, s.span_id)
  )
