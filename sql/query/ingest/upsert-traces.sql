-- Adds the sums of the stored rows to their traces. All numbers are additive; settling later replaces them by a fresh aggregation. Locks in
-- the order of keys, which prevents deadlocks. Lists are limited: the first 100 models and tools by name, whatever the order of arrival,
-- and the last 200 moves. Sorting each list separately would cost a third of the statement, so the caller sorts the lists, and $25 has all
-- names of lists with several names in that order. If that is also the order of the database, every list is already sorted.
insert into traces as t (
  workspace_id, trace_id, start_time, end_time, has_root, name, name_start_time, agent_id, session_id, user_id,
  span_count, llm_calls, tool_calls, served_calls, holdout_calls, error_count,
  input_tokens, output_tokens, cached_tokens, cache_write_tokens, cost_usd, unpriced_calls,
  models, tools, settled, last_received_at
)
select
  s.workspace_id, s.trace_id, s.start_time, s.end_time, s.has_root, s.name, s.name_start_time, s.agent_id, s.session_id, s.user_id,
  s.span_count, s.llm_calls, s.tool_calls, s.served_calls, s.holdout_calls, s.error_count,
  s.input_tokens, s.output_tokens, s.cached_tokens, s.cache_write_tokens, s.cost_usd, s.unpriced_calls,
  case when s.in_order or cardinality(s.models::text[]) < 2 then (s.models::text[])[1:100]
    else (select (array_agg(distinct m order by m))[1:100] from unnest(s.models::text[]) m) end,
  case when s.in_order or cardinality(s.tools::text[]) < 2 then (s.tools::text[])[1:100]
    else (select (array_agg(distinct m order by m))[1:100] from unnest(s.tools::text[]) m) end,
  false,
  clock_timestamp()
from (
  -- Not as functions in the FROM list: those would materialize each list before the first row is read.
  select
    unnest($1::uuid[]) as workspace_id, unnest($2::bytea[]) as trace_id, unnest($3::timestamptz[]) as start_time,
    unnest($4::timestamptz[]) as end_time, unnest($5::boolean[]) as has_root, unnest($6::text[]) as name,
    unnest($7::timestamptz[]) as name_start_time, unnest($8::uuid[]) as agent_id, unnest($9::text[]) as session_id,
    unnest($10::text[]) as user_id, unnest($11::bigint[]) as span_count, unnest($12::bigint[]) as llm_calls,
    unnest($13::bigint[]) as tool_calls, unnest($14::bigint[]) as served_calls, unnest($15::bigint[]) as holdout_calls,
    unnest($16::bigint[]) as error_count, unnest($17::bigint[]) as input_tokens, unnest($18::bigint[]) as output_tokens,
    unnest($19::bigint[]) as cached_tokens, unnest($20::bigint[]) as cache_write_tokens,
    unnest($21::double precision[]) as cost_usd, unnest($22::bigint[]) as unpriced_calls, unnest($23::text[]) as models,
    unnest($24::text[]) as tools,
    (select $25::text[] = array(select distinct m from unnest($25::text[]) m order by m)) as in_order
) s
order by s.workspace_id, s.trace_id
on conflict (workspace_id, trace_id) do update set
  start_time = least(t.start_time, excluded.start_time),
  moved_from = case
    when excluded.start_time < t.start_time then (t.moved_from || t.start_time)[greatest(1, cardinality(t.moved_from) - 198):] else t.moved_from end,
  moved_xids = case
    when excluded.start_time < t.start_time then (t.moved_xids || pg_current_xact_id())[greatest(1, cardinality(t.moved_xids) - 198):] else t.moved_xids end,
  end_time = greatest(t.end_time, excluded.end_time),
  has_root = t.has_root or excluded.has_root,
  name = case
    when (not excluded.has_root, excluded.name_start_time) < (not t.has_root, t.name_start_time) then excluded.name else t.name end,
  agent_id = case
    when (not excluded.has_root, excluded.name_start_time) < (not t.has_root, t.name_start_time) then excluded.agent_id else t.agent_id end,
  name_start_time = case
    when (not excluded.has_root, excluded.name_start_time) < (not t.has_root, t.name_start_time) then excluded.name_start_time
    else t.name_start_time end,
  session_id = coalesce(t.session_id, excluded.session_id),
  user_id = coalesce(t.user_id, excluded.user_id),
  span_count = t.span_count + excluded.span_count,
  llm_calls = t.llm_calls + excluded.llm_calls,
  tool_calls = t.tool_calls + excluded.tool_calls,
  served_calls = t.served_calls + excluded.served_calls,
  holdout_calls = t.holdout_calls + excluded.holdout_calls,
  error_count = t.error_count + excluded.error_count,
  input_tokens = t.input_tokens + excluded.input_tokens,
  output_tokens = t.output_tokens + excluded.output_tokens,
  cached_tokens = t.cached_tokens + excluded.cached_tokens,
  cache_write_tokens = t.cache_write_tokens + excluded.cache_write_tokens,
  cost_usd = case
    when t.cost_usd is null then excluded.cost_usd else t.cost_usd + coalesce(excluded.cost_usd, 0) end,
  unpriced_calls = t.unpriced_calls + excluded.unpriced_calls,
  models = case
    when t.models @> excluded.models then t.models
    else (select (array_agg(distinct m order by m))[1:100] from unnest(t.models || excluded.models) m) end,
  tools = case
    when t.tools @> excluded.tools then t.tools
    else (select (array_agg(distinct m order by m))[1:100] from unnest(t.tools || excluded.tools) m) end,
  settled = false,
  last_received_at = excluded.last_received_at
