-- Lists the events of an interval, newest first, below an event ($3 to $5): at most $13 that pass the filters, of the $12 that are scanned.
-- Where fewer match, the position of the last scanned event follows; the next scan continues after it. The start time is also a separate
-- condition, because that excludes chunks.
-- index: events_pkey
select
  e.start_time, e.start_time::text as start_key, encode(e.trace_id, 'hex') as trace_id, encode(e.span_id, 'hex') as span_id,
  encode(e.parent_span_id, 'hex') as parent_span_id, e.agent_id,
  coalesce((select a.name from agents a where a.workspace_id = e.workspace_id and a.id = e.agent_id), 'unknown') as agent_name,
  e.session_id, e.kind, e.name, e.status, e.error_type, e.error_message, e.model, e.provider, e.tool_name, e.tool_call_id,
  e.input_hash, e.tool_version, e.scope_hash, e.attested, e.attested_unread, e.read_only, e.served, e.holdout, e.decision_id, e.ttft_ms, e.duration_us,
  e.start_time + e.duration_us * interval '1 microsecond' as end_time, e.input_tokens, e.output_tokens, e.cached_tokens,
  e.cache_write_tokens, e.reasoning_tokens, e.cost_usd, e.provided_cost_usd, e.pricing_source, e.flags, e.is_end
from (
  (
    select *, false as is_end
    from (
      select *
      from events
      where workspace_id = $1 and start_time >= $2 and start_time <= $3::timestamptz
        and (start_time, trace_id, span_id) < ($3::timestamptz, $4::bytea, $5::bytea)
        and ($7::bytea is null or trace_id = $7)
      order by start_time desc, trace_id desc, span_id desc
      limit $12
    ) scanned
    where ($6::uuid is null or agent_id = $6)
      and ($8::text is null or kind = $8)
      and ($9::text is null or status = $9)
      and ($10::text is null or model = $10)
      and ($11::text is null or tool_name = $11)
    limit $13
  )
  union all
  (
    select (jsonb_populate_record(null::events, to_jsonb(place))).*, true
    from (
      select start_time, trace_id, span_id
      from events
      where workspace_id = $1 and start_time >= $2 and start_time <= $3::timestamptz
        and (start_time, trace_id, span_id) < ($3::timestamptz, $4::bytea, $5::bytea)
        and ($7::bytea is null or trace_id = $7)
      order by start_time desc, trace_id desc, span_id desc
      limit 1 offset $12::bigint - 1
    ) place
  )
) e
limit $13
