-- Returns for each given execution whether a model has read its result. Given: start ($2, µs), trace ($3, hex), session ($4, or null) and
-- call ($5). `is_read` is null where the result has been in no prompt: neither of its own trace, nor within a day after it of another trace
-- of its session. The rows have the order of the arguments. No two sets of rows that are read here are joined with each other, so that no
-- plan, however wrong its estimate of the number of rows, compares every row with every other.
-- index: events_by_trace, traces_pkey, traces_by_session
with given as materialized (
  select g.place, 'epoch'::timestamptz + g.start_us * interval '1 microsecond' as start_time, decode(g.trace_hex, 'hex') as trace_id,
    g.session_id, g.call_id
  from unnest($2::bigint[], $3::text[], $4::text[], $5::text[]) with ordinality g(start_us, trace_hex, session_id, call_id, place)
), reached as materialized (
  select g.trace_id from given g
  union
  select near.trace_id
  from (select session_id, min(start_time) as since, max(start_time) as till from given where session_id is not null group by 1) s
  cross join lateral (
    select t.trace_id from traces t
    where t.workspace_id = $1 and t.session_id = s.session_id
      and t.start_time > s.since - interval '1 day' and t.start_time < s.till + interval '1 day'
    order by t.start_time desc
    limit 1000
  ) near
), consumptions as (
  select m.start_time, m.trace_id, m.session_id, c.call_id, c.call_id = any (m.read_tool_call_ids) as is_read
  from reached r
  join events m on m.workspace_id = $1 and m.trace_id = r.trace_id and m.kind = 'llm' and m.consumed_tool_call_ids <> '{}'
  cross join lateral unnest(m.consumed_tool_call_ids) c(call_id)
  -- in this form a hashed lookup, never a join
  where (c.call_id in (select g.call_id from given g)) is true
), judged as (
  select u.*,
    bool_or(u.is_read) over (partition by u.trace_id, u.call_id) as read_in_trace,
    bool_or(u.is_read) over (
      partition by u.session_id, u.call_id order by u.start_time
      range between current row and interval '86399.999999 seconds' following
    ) as read_in_session
  from (
    select g.place, g.start_time, g.trace_id, g.session_id, g.call_id, null::boolean as is_read from given g
    union all
    select null, c.start_time, c.trace_id, c.session_id, c.call_id, c.is_read from consumptions c
  ) u
)
select (select t.settled from traces t where t.workspace_id = $1 and t.trace_id = j.trace_id) is true as is_settled,
  case when j.session_id is null then j.read_in_trace
    else coalesce(j.read_in_trace or j.read_in_session, j.read_in_trace, j.read_in_session) end as is_read
from judged j
where j.place is not null
order by j.place
