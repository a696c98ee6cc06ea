-- Replaces the numbers of the given traces by a fresh aggregation of their spans. A settled trace is not changed by this.
-- index: events_by_trace
update traces t set
  start_time = f.start_time,
  end_time = f.end_time,
  has_root = f.has_root,
  name = f.name,
  name_start_time = f.name_start_time,
  agent_id = f.agent_id,
  session_id = f.session_id,
  user_id = f.user_id,
  span_count = f.span_count,
  llm_calls = f.llm_calls,
  tool_calls = f.tool_calls,
  served_calls = f.served_calls,
  holdout_calls = f.holdout_calls,
  error_count = f.error_count,
  input_tokens = f.input_tokens,
  output_tokens = f.output_tokens,
  cached_tokens = f.cached_tokens,
  cache_write_tokens = f.cache_write_tokens,
  cost_usd = f.cost_usd,
  unpriced_calls = f.unpriced_calls,
  models = f.models,
  tools = f.tools,
  settled = true
from (
  select
    e.workspace_id,
    e.trace_id,
    min(e.start_time) as start_time,
    max(e.start_time + coalesce(e.duration_us, 0) * interval '1 microsecond') as end_time,
    bool_or(e.parent_span_id is null) as has_root,
    (array_agg(e.name order by e.parent_span_id is null desc, e.start_time, e.span_id))[1] as name,
    (array_agg(e.start_time order by e.parent_span_id is null desc, e.start_time, e.span_id))[1] as name_start_time,
    (array_agg(e.agent_id order by e.parent_span_id is null desc, e.start_time, e.span_id))[1] as agent_id,
    (array_agg(e.session_id order by e.start_time, e.span_id) filter (where e.session_id is not null))[1] as session_id,
    (array_agg(e.user_id order by e.start_time, e.span_id) filter (where e.user_id is not null))[1] as user_id,
    count(*) as span_count,
    count(*) filter (where e.counted and e.kind = 'llm') as llm_calls,
    count(*) filter (where e.counted and e.kind = 'tool') + coalesce(sum(cardinality(string_to_array(e.inferred_tools, E'\n'))), 0) as tool_calls,
    count(*) filter (where e.counted and e.kind = 'tool' and e.served) as served_calls,
    count(*) filter (where e.counted and e.kind = 'tool' and e.holdout) as holdout_calls,
    -- At least one if a span failed, even if it reports the failure of a call in another trace.
    greatest(
      count(*) filter (where e.status = 'error' and not 'error_carried' = any (e.flags)),
      bool_or(e.status = 'error')::int
    ) as error_count,
    coalesce(sum(e.input_tokens) filter (where e.counted), 0) as input_tokens,
    coalesce(sum(e.output_tokens) filter (where e.counted), 0) as output_tokens,
    coalesce(sum(e.cached_tokens) filter (where e.counted), 0) as cached_tokens,
    coalesce(sum(e.cache_write_tokens) filter (where e.counted), 0) as cache_write_tokens,
    sum(e.cost_usd) filter (where e.counted) as cost_usd,
    count(*) filter (where e.counted and 'unpriced' = any (e.flags)) as unpriced_calls,
    coalesce((array_agg(distinct e.model) filter (where e.counted and e.model is not null))[1:100], '{}') as models,
    case
      when bool_or(e.inferred_tools is not null) then array(
        select unnest(array_agg(distinct e.tool_name) filter (where e.counted and e.tool_name is not null))
        union select string_to_table(string_agg(e.inferred_tools, E'\n'), E'\n')
        order by 1 limit 100
      )
      else coalesce((array_agg(distinct e.tool_name) filter (where e.counted and e.tool_name is not null))[1:100], '{}')
    end as tools
  from unnest($1::uuid[], $2::bytea[]) as due (workspace_id, trace_id)
  join events e on e.workspace_id = due.workspace_id and e.trace_id = due.trace_id
  group by e.workspace_id, e.trace_id
) f
where t.workspace_id = f.workspace_id and t.trace_id = f.trace_id
