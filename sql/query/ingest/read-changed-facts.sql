-- Reads the data that counting needs of the spans with these keys, with the number of each span in the lists; as rollups/read-facts, and
-- with the scope of each span. One index look-up for each span: its key is a range behind its start, as in ingest/find-stored. $5 and $6, the
-- first and the last start, exclude chunks of other times; because of the order, the start of each span does not.
-- index: events_pkey
select f.*, changed.place::int as place
from unnest($1::uuid[], $2::bigint[], $3::text[], $4::text[]) with ordinality
  as changed (workspace_id, start_time_us, trace_id, span_id, place)
cross join lateral (
  select
    changed.start_time_us as start_us, trace_id, session_id, agent_id, kind, model, tool_name, input_hash,
    counted, status = 'error' and not 'error_carried' = any (flags) as error, 'unpriced' = any (flags) as unpriced, served, holdout,
    duration_us, input_tokens, output_tokens, cached_tokens, cache_write_tokens,
    reasoning_tokens, cost_usd, cache_savings_usd, inferred_tools, scope_name, scope_version, dialect
  from events e
  where e.workspace_id = changed.workspace_id
    and e.start_time = 'epoch'::timestamptz + changed.start_time_us * interval '1 microsecond'
    and e.start_time >= $5::timestamptz and e.start_time <= $6::timestamptz
    and (e.trace_id, e.span_id) >= (decode(changed.trace_id, 'hex'), decode(changed.span_id, 'hex'))
    and (e.trace_id, e.span_id) <= (decode(changed.trace_id, 'hex'), decode(changed.span_id, 'hex'))
  order by e.workspace_id, e.start_time, e.trace_id, e.span_id
  limit 1
) f
