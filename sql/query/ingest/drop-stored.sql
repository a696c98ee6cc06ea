-- Spans that are stored already never compete for a quota.
-- index: events_pkey
delete from stage s
where s.workspace_id = any ($1::uuid[])
  and exists (
    select from events e
    where e.workspace_id = s.workspace_id and e.start_time = s.start_time
      and e.trace_id = s.trace_id and e.span_id = s.span_id
  )
