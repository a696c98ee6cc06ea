-- Adds the stored rows to their traces. Every number is additive; settling later replaces them by a fresh aggregation.
-- In key order, so that rivals cannot deadlock. Lists are bounded: the first 100 models and tools by name, whatever the order of
-- arrival, and the last 200 moves.
insert into traces as t (
  workspace_id, trace_id, start_time, end_time, has_root, name, name_start_time, agent_id, session_id, user_id,
  span_count, llm_calls, tool_calls, served_calls, holdout_calls, error_count,
  input_tokens, output_tokens, cached_tokens, cache_write_tokens, cost_usd, unpriced_calls,
  models, tools, settled, last_received_at
)
select
  s.workspace_id,
  s.trace_id,
  min(s.start_time),
  max(s.start_time + coalesce(s.duration_us, 0) * interval '1 microsecond'),
  bool_or(s.parent_span_id is null),
  (array_agg(s.name order by s.parent_span_id is null desc, s.start_time, s.span_id))[1],
  (array_agg(s.start_time order by s.parent_span_id is null desc, s.start_time, s.span_id))[1],
  (array_agg(a.id order by s.parent_span_id is null desc, s.start_time, s.span_id))[1],
  (array_agg(s.session_id order by s.start_time, s.span_id) filter (where s.session_id is not null))[1],
  (array_agg(s.user_id order by s.start_time, s.span_id) filter (where s.user_id is not null))[1],
  count(*),
  count(*) filter (where s.counted and s.kind = 'llm'),
  count(*) filter (where s.counted and s.kind = 'tool'),
  count(*) filter (where s.counted and s.kind = 'tool' and s.served),
  count(*) filter (where s.counted and s.kind = 'tool' and s.holdout),
  count(*) filter (where s.status = 'error'),
  coalesce(sum(s.input_tokens) filter (where s.counted), 0),
  coalesce(sum(s.output_tokens) filter (where s.counted), 0),
  coalesce(sum(s.cached_tokens) filter (where s.counted), 0),
  coalesce(sum(s.cache_write_tokens) filter (where s.counted), 0),
  sum(s.cost_usd) filter (where s.counted),
  count(*) filter (where s.counted and 'unpriced' = any (s.flags)),
  coalesce((array_agg(distinct s.model) filter (where s.counted and s.model is not null))[1:100], '{}'),
  coalesce((array_agg(distinct s.tool_name) filter (where s.counted and s.tool_name is not null))[1:100], '{}'),
  false,
  clock_timestamp()
from stage s
join agents a on a.workspace_id = s.workspace_id and a.name = s.agent_name
group by s.workspace_id, s.trace_id
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
  models = (select coalesce((array_agg(distinct m order by m))[1:100], '{}') from unnest(t.models || excluded.models) m),
  tools = (select coalesce((array_agg(distinct m order by m))[1:100], '{}') from unnest(t.tools || excluded.tools) m),
  settled = false,
  last_received_at = excluded.last_received_at
