-- Finds real, unattested calls of tools with an input that the tool received before within the workspace's freshness, by tool: the 50 most
-- repeated. Scans the newest 50,000 events of a window. A call whose result is known to have changed is no repeat.
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
    count(*) over of_tool as calls, min(start_time) over of_tool as observed_from,
    -- the newest call shows how the tool is reported now
    coalesce(max(start_time) filter (where attested) over of_tool = max(start_time) over of_tool, false) as is_attested_now
  from scanned
  where kind = 'tool' and counted and not served and status <> 'error' and tool_name is not null and input_hash is not null
  window in_turn as (partition by tool_name, input_hash order by start_time, trace_id, span_id), of_tool as (partition by tool_name)
), repeats as materialized (
  select *
  from calls
  where not is_attested_now and not attested
    and before >= start_time - (select w.freshness_s from workspaces w where w.id = $1) * interval '1 second'
    and (content_hash = content_before or content_hash is null or content_before is null)
), sums as materialized (
  select tool_name, min(calls) as calls, min(observed_from) as observed_from, count(*) as repeats, avg(provided_cost_usd::numeric)::float8 as mean_cost_usd,
    count(provided_cost_usd) as priced, coalesce(sum(duration_us), 0)::float8 / 1000 as duration_ms,
    min(start_time) as first_seen, max(start_time) as last_seen
  from repeats
  group by 1
  order by repeats desc, tool_name
  limit 50
), stated as materialized (
  -- the newest statement of each agent counts; one agent whose tool has an effect is enough
  select tool_name, bool_and(read_only) as read_only
  from (
    select tool_name,
      coalesce(max(start_time) filter (where read_only) > max(start_time) filter (where not read_only), bool_and(read_only)) as read_only
    from scanned
    where kind = 'tool' and not served and read_only is not null
    group by tool_name, agent_id
  ) by_agent
  group by 1
), inputs as materialized (
  select tool_name, count(*) as inputs, (array_agg(input_hash order by repeats desc, input_hash))[1:5] as input_hashes
  from (select tool_name, input_hash, count(*) as repeats from repeats group by 1, 2) by_input
  group by 1
), traces as materialized (
  select tool_name, (array_agg(encode(trace_id, 'hex') order by last desc, trace_id desc))[1:10] as trace_ids
  from (select tool_name, trace_id, max(start_time) as last from repeats group by 1, 2) by_trace
  group by 1
)
select s.*, st.read_only, i.inputs, i.input_hashes, t.trace_ids, r.*,
  w.freshness_s, w.holdout_rate, w.floor, w.alpha
from sums s join inputs i using (tool_name) join traces t using (tool_name) left join stated st using (tool_name)
cross join reach r join workspaces w on w.id = $1
order by s.repeats desc, s.tool_name
