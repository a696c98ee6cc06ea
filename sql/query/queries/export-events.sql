-- Lists the events of an interval ($2 to $3) after an event ($4 to $6), oldest first. `is_due`: snapshot $7, up to which is exported, sees
-- the event, and $8, up to which was exported before, does not. A transaction number that is not assigned yet comes from the database
-- before it was restored from a dump; such an event counts as old.
-- index: events_pkey
select
  e.start_time, e.start_time::text as start_key, encode(e.trace_id, 'hex') as trace_id, encode(e.span_id, 'hex') as span_id,
  encode(e.parent_span_id, 'hex') as parent_span_id, e.agent_id,
  coalesce((select a.name from agents a where a.workspace_id = e.workspace_id and a.id = e.agent_id), 'unknown') as agent_name,
  e.session_id, e.kind, e.name, e.status, e.error_type, e.error_message, e.model, e.provider, e.tool_name, e.tool_call_id,
  e.input_hash, e.tool_version, e.scope_hash, e.attested, e.attested_unread, e.read_only, e.served, e.holdout, e.decision_id, e.ttft_ms, e.duration_us,
  e.start_time + e.duration_us * interval '1 microsecond' as end_time, e.input_tokens, e.output_tokens, e.cached_tokens,
  e.cache_write_tokens, e.reasoning_tokens, e.cost_usd, e.provided_cost_usd, e.pricing_source, e.flags, e.payload_id, e.payload_no, e.key_id,
  case when e.key_id is not null then (
    select octet_length(r.ciphertext) from tool_results r
    where r.workspace_id = e.workspace_id and r.start_time = e.start_time and r.trace_id = e.trace_id and r.span_id = e.span_id
      and r.start_time >= $2::timestamptz and r.start_time < $3::timestamptz
  ) end as ciphertext_bytes,
  (pg_visible_in_snapshot(e.inserted_xid, $7::text::pg_snapshot) or e.inserted_xid >= pg_snapshot_xmax(pg_current_snapshot()))
  and ($8::text is null or not (
    pg_visible_in_snapshot(e.inserted_xid, $8::text::pg_snapshot) or e.inserted_xid >= pg_snapshot_xmax(pg_current_snapshot())
  )) as is_due
from events e
where e.workspace_id = $1 and e.start_time >= $2::timestamptz and e.start_time < $3::timestamptz
  and (e.start_time, e.trace_id, e.span_id) > ($4::timestamptz, $5::bytea, $6::bytea)
order by e.start_time, e.trace_id, e.span_id
limit $9
