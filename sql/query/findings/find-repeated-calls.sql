-- Finds real calls of a tool since $5 with an input that the same agent gave it at most $4 seconds before, by agent and tool: the 50 most
-- repeated. For the price, it counts the repeats of the whole window within the workspace's freshness (`reusable`), since the agent's first
-- call of the tool. Scans the newest 50,000 events of a window.
-- A call whose result is known to have changed is no repeat, and neither is a holdout.
-- index: events_pkey
with scanned as materialized (
  select start_time, trace_id, span_id, agent_id, kind, counted, status, served, holdout, attested, read_only, tool_name, input_hash,
    content_hash, duration_us, provided_cost_usd
  from events
  where workspace_id = $1 and start_time >= $2 and start_time < $3
  order by start_time desc, trace_id desc, span_id desc
  limit 50000
), reach as materialized (
  select count(*) as scanned_events, count(*) = 50000 as is_cut, min(start_time) as scanned_from from scanned
), calls as materialized (
  select *, lag(start_time) over in_turn as before, lag(content_hash) over in_turn as content_before,
    min(start_time) over of_tool as observed_from,
    -- the newest call shows how the tool is reported now
    coalesce(max(start_time) filter (where attested) over of_tool = max(start_time) over of_tool, false) as is_attested
  from scanned
  where kind = 'tool' and counted and not served and status <> 'error' and tool_name is not null and input_hash is not null
  window in_turn as (partition by agent_id, tool_name, input_hash order by start_time, trace_id, span_id),
    of_tool as (partition by agent_id, tool_name)
), again as materialized (
  select *, start_time >= $5 and before >= start_time - $4::float8 * interval '1 second' as is_told,
    before >= start_time - (select w.freshness_s from workspaces w where w.id = $1) * interval '1 second' as is_reusable
  from calls
  where before is not null and not holdout and (content_hash = content_before or content_hash is null or content_before is null)
), repeats as materialized (
  select * from again where is_told
), sums as (
  select agent_id, tool_name, count(*) filter (where is_told) as repeats, count(*) filter (where is_reusable) as reusable,
    avg(provided_cost_usd::numeric) filter (where is_reusable)::float8 as mean_cost_usd,
    count(provided_cost_usd) filter (where is_reusable) as priced,
    coalesce(sum(duration_us) filter (where is_told), 0)::float8 / 1000 as duration_ms, min(observed_from) as observed_from, bool_or(is_attested) as is_attested,
    min(start_time) filter (where is_told) as first_seen, max(start_time) filter (where is_told) as last_seen
  from again
  group by 1, 2
  having count(*) filter (where is_told) > 0
  order by repeats desc, agent_id, tool_name
  limit 50
), stated as materialized (
  -- the newest statement counts
  select agent_id, tool_name,
    coalesce(max(start_time) filter (where read_only) > max(start_time) filter (where not read_only), bool_and(read_only)) as read_only
  from scanned
  where kind = 'tool' and not served and read_only is not null
  group by 1, 2
), inputs as (
  select agent_id, tool_name, count(*) as inputs, (array_agg(input_hash order by repeats desc, input_hash))[1:5] as input_hashes
  from (select agent_id, tool_name, input_hash, count(*) as repeats from repeats group by 1, 2, 3) by_input
  group by 1, 2
), traces as (
  select agent_id, tool_name, (array_agg(encode(trace_id, 'hex') order by last desc, trace_id desc))[1:10] as trace_ids
  from (select agent_id, tool_name, trace_id, max(start_time) as last from repeats group by 1, 2, 3) by_trace
  group by 1, 2
)
select s.*, st.read_only, i.inputs, i.input_hashes, t.trace_ids, r.*,
  w.holdout_rate, w.freshness_s,
  coalesce((select a.name from agents a where a.workspace_id = $1 and a.id = s.agent_id), 'unknown') as agent_name
from sums s join inputs i using (agent_id, tool_name) join traces t using (agent_id, tool_name)
left join stated st using (agent_id, tool_name) cross join reach r join workspaces w on w.id = $1
order by s.repeats desc, s.agent_id, s.tool_name
