-- Finds conversations in which an agent's input to a model grew from turn to turn: at least $4 calls, at least four fifths of them with
-- more input than the one before, the largest with at least $5 tokens and $6 times the first; and their calls of $5 tokens or more. By
-- agent and model, the 50 with the most such conversations. Scans the newest 50,000 events of a window.
-- index: events_pkey
with scanned as materialized (
  select start_time, trace_id, span_id, agent_id, session_id, kind, counted, status, provider, model, input_tokens, cached_tokens
  from events
  where workspace_id = $1 and start_time >= $2 and start_time < $3
  order by start_time desc, trace_id desc, span_id desc
  limit 50000
), reach as materialized (
  select count(*) as scanned_events, count(*) = 50000 as is_cut, min(start_time) as scanned_from from scanned
), calls as materialized (
  select *, coalesce(session_id, encode(trace_id, 'hex')) as conversation,
    lag(input_tokens) over in_turn as before, first_value(input_tokens) over in_turn as first_tokens
  from scanned
  where kind = 'llm' and counted and status <> 'error' and input_tokens is not null and model is not null
  window in_turn as (
    partition by coalesce(session_id, encode(trace_id, 'hex')), agent_id, model order by start_time, trace_id, span_id)
), grown as materialized (
  select agent_id, model, conversation, count(*) as turns, min(first_tokens) as first_tokens, max(input_tokens) as largest
  from calls
  group by 1, 2, 3
  having count(*) >= $4::bigint and count(*) filter (where input_tokens > before) >= 0.8 * (count(*) - 1)
    and max(input_tokens) >= $5::bigint and max(input_tokens) >= $6::float8 * min(first_tokens)
), large as materialized (
  select c.* from calls c join grown g using (agent_id, model, conversation) where c.input_tokens >= $5::bigint
), sums as (
  select agent_id, model, max(provider) as provider, count(*) as large_calls, avg(input_tokens::numeric)::float8 as mean_input,
    avg(coalesce(cached_tokens, 0)::numeric)::float8 as mean_cached, min(start_time) as first_seen, max(start_time) as last_seen
  from large
  group by 1, 2
), talks as (
  select agent_id, model, count(*) as conversations, max(largest) as largest, avg(turns)::float8 as mean_turns,
    avg(first_tokens::numeric)::float8 as mean_first
  from grown
  group by 1, 2
  order by conversations desc, agent_id, model
  limit 50
), traces as (
  select agent_id, model, (array_agg(encode(trace_id, 'hex') order by last desc, trace_id desc))[1:10] as trace_ids
  from (select agent_id, model, trace_id, max(start_time) as last from large group by 1, 2, 3) by_trace
  group by 1, 2
)
select k.*, s.provider, s.large_calls, s.mean_input, s.mean_cached, s.first_seen, s.last_seen, t.trace_ids, r.*,
  greatest(a.first_seen, $2) as observed_from, coalesce(a.name, 'unknown') as agent_name
from talks k join sums s using (agent_id, model) join traces t using (agent_id, model) cross join reach r
  left join agents a on a.workspace_id = $1 and a.id = k.agent_id
order by k.conversations desc, k.agent_id, k.model
