-- Lists decisions in these states ($2) to measure, those with the oldest measurement first. A decision is due if it was never measured, if
-- it was not measured since $4, or if it was not measured since $3 and something that it covers ran lately. An execution that is stored
-- more than 15 minutes after its start may be noticed only at $4.
-- scope: $1
-- index: decisions_to_measure, events_attested_calls, events_calls, events_unread_starts
select d.id, d.state from decisions d
where d.workspace_id = $1 and d.state <> 'disabled' and d.state = any ($2::text[]) and (
  d.measured_at is null or d.measured_at < $4
  or d.measured_at < $3 and d.input_hash is null and exists (
    select from events e
    where e.workspace_id = $1 and e.tool_name = d.tool_name and e.attested and not e.served
      and e.start_time >= d.measured_at - interval '15 minutes'
  )
  or d.measured_at < $3 and d.type = 'suppress_dead' and exists (
    select from events e
    where e.workspace_id = $1 and e.tool_name = d.tool_name and e.attested_unread and not e.served
      and e.start_time >= d.measured_at - interval '15 minutes'
  )
  or d.measured_at < $3 and exists (
    select from events e
    where e.workspace_id = $1 and e.tool_name = d.tool_name and e.input_hash = d.input_hash and not e.served
      and e.start_time >= d.measured_at - interval '15 minutes'
  )
)
order by d.measured_at nulls first, d.id
limit $5
