-- Finds calls of models that followed another one of the same conversation, agent and model within $4 seconds, with an input at least as
-- large as that of the earlier call, which had $5 tokens or more: the input could have been read from a prompt cache, and the result shows
-- whether it was. By agent and model, the 50 with the most misses. Scans the newest 50,000 events of a window.
-- index: events_pkey
with scanned as materialized (
  select start_time, trace_id, span_id, agent_id, session_id, kind, counted, status, provider, model, input_tokens, cached_tokens,
    cache_write_tokens
  from events
  where workspace_id = $1 and start_time >= $2 and start_time < $3
  order by start_time desc, trace_id desc, span_id desc
  limit 50000
), reach as materialized (
  select count(*) as scanned_events, count(*) = 50000 as is_cut, min(start_time) as scanned_from from scanned
), calls as (
  select *, lag(start_time) over in_turn as before, lag(input_tokens) over in_turn as repeated
  from scanned
  where kind = 'llm' and counted and status <> 'error' and input_tokens is not null and model is not null
  window in_turn as (
    partition by coalesce(session_id, encode(trace_id, 'hex')), agent_id, model order by start_time, trace_id, span_id)
), following as materialized (
  select *, coalesce(cached_tokens, 0) = 0 as is_missed
  from calls
  where before >= start_time - $4::float8 * interval '1 second' and repeated >= $5::bigint and input_tokens >= repeated
), sums as (
  select agent_id, model, max(provider) as provider, count(*) as calls, count(*) filter (where is_missed) as missed,
    count(*) filter (where is_missed and cached_tokens is null) as missed_unreported,
    avg(input_tokens::numeric) filter (where is_missed)::float8 as mean_input,
    avg(repeated::numeric) filter (where is_missed)::float8 as mean_repeated,
    min(start_time) filter (where is_missed) as first_seen, max(start_time) filter (where is_missed) as last_seen
  from following
  group by 1, 2
  having count(*) filter (where is_missed) > 0
  order by count(*) filter (where is_missed) desc, agent_id, model
  limit 50
), traces as (
  select agent_id, model, (array_agg(encode(trace_id, 'hex') order by last desc, trace_id desc))[1:10] as trace_ids
  from (select agent_id, model, trace_id, max(start_time) as last from following where is_missed group by 1, 2, 3) by_trace
  group by 1, 2
)
select s.*, t.trace_ids, r.*, greatest(a.first_seen, $2) as observed_from, coalesce(a.name, 'unknown') as agent_name
from sums s join traces t using (agent_id, model) cross join reach r
  left join agents a on a.workspace_id = $1 and a.id = s.agent_id
order by s.missed desc, s.agent_id, s.model
