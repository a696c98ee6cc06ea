-- One page of traces, newest first. On later pages ($12 to $14) each trace stands where the snapshot of the first page had it,
-- though its start may have moved since: `stayed` are those whose start has not, `moved` those whose start has.
-- index: traces_by_start, traces_by_move
with stayed as (
  select t.trace_id, t.start_time as listed_at
  from traces t
  where t.workspace_id = $1 and t.start_time >= $2 and t.start_time < $3
    and ($4::uuid is null or t.agent_id = $4)
    and ($5::text is null or t.session_id = $5)
    and ($6::boolean is null or (t.error_count > 0) = $6)
    and ($7::text is null or $7 = any(t.models))
    and ($8::text is null or $8 = any(t.tools))
    and ($9::float8 is null or t.duration_us >= $9 * 1000)
    and ($10::float8 is null or t.cost_usd >= $10)
    and ($11::boolean is null or (t.served_calls > 0) = $11)
    and ($12::text is null or (t.start_time, t.trace_id) < ($13::timestamptz, $14::bytea))
    and ($12::text is null or t.moved_xids = '{}'
      or pg_visible_in_snapshot(t.moved_xids[cardinality(t.moved_xids)], $12::pg_snapshot))
  order by t.start_time desc, t.trace_id desc
  limit $15
), moved as (
  select t.trace_id, before.listed_at
  from traces t
  cross join lateral (
    select t.moved_from[move.at] as listed_at
    from generate_subscripts(t.moved_xids, 1) as move(at)
    where not pg_visible_in_snapshot(t.moved_xids[move.at], $12::pg_snapshot)
    order by move.at
    limit 1
  ) before
  where $12::text is not null and t.workspace_id = $1 and t.moved_xids <> '{}'
    and t.moved_xids[cardinality(t.moved_xids)] >= pg_snapshot_xmin($12::pg_snapshot)
    and ($4::uuid is null or t.agent_id = $4)
    and ($5::text is null or t.session_id = $5)
    and ($6::boolean is null or (t.error_count > 0) = $6)
    and ($7::text is null or $7 = any(t.models))
    and ($8::text is null or $8 = any(t.tools))
    and ($9::float8 is null or t.duration_us >= $9 * 1000)
    and ($10::float8 is null or t.cost_usd >= $10)
    and ($11::boolean is null or (t.served_calls > 0) = $11)
    and before.listed_at >= $2 and before.listed_at < $3
    and (before.listed_at, t.trace_id) < ($13::timestamptz, $14::bytea)
  order by before.listed_at desc, t.trace_id desc
  limit $15
), page as (
  select * from stayed union all select * from moved
  order by listed_at desc, trace_id desc
  limit $15
)
select page.listed_at::text as listed_key, pg_current_snapshot()::text as snapshot,
  encode(t.trace_id, 'hex') as trace_id, t.name, t.agent_id, coalesce(a.name, 'unknown') as agent_name, t.session_id,
  t.user_id, t.start_time, t.end_time, t.duration_us, t.span_count, t.llm_calls, t.tool_calls, t.served_calls, t.holdout_calls,
  t.error_count, t.input_tokens, t.output_tokens, t.cached_tokens, t.cache_write_tokens, t.cost_usd, t.unpriced_calls,
  t.models, t.tools, t.settled
from page
join traces t on t.workspace_id = $1 and t.trace_id = page.trace_id
left join agents a on a.workspace_id = t.workspace_id and a.id = t.agent_id
order by page.listed_at desc, t.trace_id desc
