-- Lists the traces of a window, newest first, below a trace ($13, $14): at most $15 that pass the filters, of the $16 that are scanned.
-- Where fewer match, the position of the last scanned trace is included; the next scan continues after it.
-- On later pages ($12) each trace is listed at the position that it had in the snapshot of the first page, although its start may have
-- moved since: `stayed` are the traces whose start has not moved, `moved` those whose start has.
-- The start time is also a separate condition: with the window's end, the scan would begin there and read all pages before.
-- index: traces_by_start, traces_by_move
with stayed as (
  select *
  from (
    (
      select *, start_time as listed_at, false as is_end
      from (
        select *
        from traces
        where workspace_id = $1 and start_time >= $2 and start_time <= $13::timestamptz
          and (start_time, trace_id) < ($13::timestamptz, $14::bytea)
          and ($5::text is null or session_id = $5)
        order by start_time desc, trace_id desc
        limit $16
      ) scanned
      where ($4::uuid is null or agent_id = $4)
        and ($6::boolean is null or (error_count > 0) = $6)
        and ($7::text is null or $7 = any(models))
        and ($8::text is null or $8 = any(tools))
        and ($9::float8 is null or duration_us >= $9 * 1000)
        and ($10::float8 is null or cost_usd >= $10)
        and ($11::boolean is null or (served_calls > 0) = $11)
        and ($12::text is null or moved_xids = '{}'
          or pg_visible_in_snapshot(moved_xids[cardinality(moved_xids)], $12::pg_snapshot))
      limit $15
    )
    union all
    (
      select (jsonb_populate_record(null::traces, to_jsonb(place))).*, place.start_time, true
      from (
        select start_time, trace_id
        from traces
        where workspace_id = $1 and start_time >= $2 and start_time <= $13::timestamptz
          and (start_time, trace_id) < ($13::timestamptz, $14::bytea)
          and ($5::text is null or session_id = $5)
        order by start_time desc, trace_id desc
        limit 1 offset $16::bigint - 1
      ) place
    )
  ) seen
  limit $15
), moved as (
  select t.*, before.listed_at, false as is_end
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
  order by listed_at desc, trace_id desc, is_end
  limit $15
)
select t.listed_at::text as listed_key, t.is_end, pg_current_snapshot()::text as snapshot,
  encode(t.trace_id, 'hex') as trace_id, t.name, t.agent_id,
  coalesce((select a.name from agents a where a.workspace_id = t.workspace_id and a.id = t.agent_id), 'unknown') as agent_name,
  t.session_id, t.user_id, t.start_time, t.end_time, t.duration_us, t.span_count, t.llm_calls, t.tool_calls, t.served_calls,
  t.holdout_calls, t.error_count, t.input_tokens, t.output_tokens, t.cached_tokens, t.cache_write_tokens, t.cost_usd,
  t.unpriced_calls, t.models, t.tools, t.settled
from page t
order by t.listed_at desc, t.trace_id desc, t.is_end
