-- Finds results of tools that were in the prompt of a model and whether any such call read them, by tool: the 50 tools with the most unread
-- results. Scans the newest 5,000 calls that report consumed results (and those with the same start as the last one), and the newest 50,000
-- events that are no older than these and older than $4. A result is consumed in its own trace, or in its session within a day.
-- It is also read if the sender says that others than the model may receive it.
-- index: events_consuming, events_pkey
with consuming as materialized (
  select start_time, trace_id, session_id, consumed_tool_call_ids, read_tool_call_ids
  from events
  where workspace_id = $1 and start_time >= $2 and start_time < $3 and consumed_tool_call_ids <> '{}'
  order by start_time desc
  fetch first 5000 rows with ties
), back as (
  select case when count(*) < 5000 then $2 else min(start_time) end as since, count(*) >= 5000 as is_cut from consuming
), scanned as materialized (
  select start_time, trace_id, span_id, agent_id, session_id, kind, counted, status, served, attested, attested_unread, read_only, tool_name, tool_call_id,
    provided_cost_usd, coalesce(tool_call_id = any (read_tool_call_ids), false) as is_reported_read
  from events
  where workspace_id = $1 and start_time >= (select since from back) and start_time < $4
  order by start_time desc, trace_id desc, span_id desc
  limit 50000
), reach as materialized (
  select count(*) as scanned_events, count(*) = 50000 or (select is_cut from back) as is_cut,
    case when count(*) = 50000 then min(start_time) else (select since from back) end as scanned_from
  from scanned
), uses as materialized (
  select c.start_time, c.trace_id, c.session_id, id, id = any (c.read_tool_call_ids) as is_read
  from consuming c, unnest(c.consumed_tool_call_ids) id
), results as materialized (
  select l.tool_name, l.trace_id, l.span_id, l.start_time, l.agent_id, l.provided_cost_usd, bool_or(u.is_read) or bool_or(l.is_reported_read) as is_read,
    count(*) as uses
  from scanned l
  join uses u on u.id = l.tool_call_id and u.start_time >= l.start_time and u.start_time < l.start_time + interval '1 day'
    and (u.trace_id = l.trace_id or u.session_id = l.session_id)
  where l.kind = 'tool' and l.counted and not l.served and l.status <> 'error' and l.tool_name is not null
  group by 1, 2, 3, 4, 5, 6
), observed as (
  -- the newest call shows how the tool is reported now
  select tool_name, min(start_time) as observed_from,
    coalesce(max(start_time) filter (where attested or attested_unread) = max(start_time), false) as is_attested,
    coalesce(max(start_time) filter (where attested_unread) = max(start_time), false) as is_attested_unread
  from scanned
  where kind = 'tool' and not served and tool_name is not null
  group by 1
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
), sums as (
  select tool_name, count(*) as consumed, count(*) filter (where is_read) as read,
    coalesce(sum(uses) filter (where not is_read), 0)::bigint as unread_uses,
    avg(provided_cost_usd::numeric) filter (where not is_read)::float8 as mean_cost_usd,
    count(provided_cost_usd) filter (where not is_read) as priced,
    case when count(distinct agent_id) = 1 then (array_agg(agent_id))[1] end as agent_id,
    min(start_time) filter (where not is_read) as first_seen, max(start_time) filter (where not is_read) as last_seen
  from results
  group by 1
  having count(*) filter (where not is_read) > 0
  order by count(*) filter (where not is_read) desc, tool_name
  limit 50
), traces as (
  select tool_name, (array_agg(encode(trace_id, 'hex') order by last desc, trace_id desc))[1:10] as trace_ids
  from (select tool_name, trace_id, max(start_time) as last from results where not is_read group by 1, 2) by_trace
  group by 1
)
select s.*, o.observed_from, o.is_attested, o.is_attested_unread, st.read_only, t.trace_ids, r.*,
  (select w.holdout_rate from workspaces w where w.id = $1) as holdout_rate
from sums s join observed o using (tool_name) join traces t using (tool_name) left join stated st using (tool_name)
cross join reach r
order by s.consumed - s.read desc, s.tool_name
