-- Stores trials of a decision ($2): start ($3, µs), trace ($4), span ($5), input ($6), start of the execution whose result would have been
-- served ($7, µs), the age of that result ($8, s), and whether the results match ($9). $10: the phase.
-- scope: $1
-- index: events_calls
insert into decision_trials (workspace_id, decision_id, start_time, trace_id, span_id, candidate_trace_id, candidate_span_id, age_s, matched,
  phase)
select $1, $2, 'epoch'::timestamptz + t.start_us * interval '1 microsecond', decode(t.trace_id, 'hex'), decode(t.span_id, 'hex'),
  c.trace_id, c.span_id, t.age_s, t.matched, $10
from unnest($3::bigint[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::float8[], $9::boolean[])
  t(start_us, trace_id, span_id, input_hash, candidate_start_us, age_s, matched)
left join lateral (
  select e.trace_id, e.span_id
  from events e
  join decisions d on d.workspace_id = $1 and d.id = $2
  where e.workspace_id = $1 and e.tool_name = d.tool_name and e.input_hash = t.input_hash and not e.served
    and e.start_time = 'epoch'::timestamptz + t.candidate_start_us * interval '1 microsecond'
    and (d.agent_id is null or e.agent_id = d.agent_id)
  limit 1
) c on true
on conflict do nothing
