-- Lists the next events for a tail: those of the transactions from $2 to $3, in commit order, after a position in $2 ($6 to $8). They are
-- found by the range of start times that each transaction wrote. $16 and $17 enclose all these ranges and exclude chunks.
-- index: commits_pkey, events_pkey
select
  c.xid::text as xid,
  e.start_time, e.start_time::text as start_key, encode(e.trace_id, 'hex') as trace_id, encode(e.span_id, 'hex') as span_id,
  encode(e.parent_span_id, 'hex') as parent_span_id, e.agent_id, coalesce(a.name, 'unknown') as agent_name, e.session_id,
  e.kind, e.name, e.status, e.error_type, e.error_message, e.model, e.provider, e.tool_name, e.tool_call_id, e.input_hash,
  e.tool_version, e.scope_hash, e.attested, e.attested_unread, e.read_only, e.served, e.holdout, e.decision_id, e.ttft_ms, e.duration_us,
  e.start_time + e.duration_us * interval '1 microsecond' as end_time, e.input_tokens, e.output_tokens, e.cached_tokens,
  e.cache_write_tokens, e.reasoning_tokens, e.cost_usd, e.provided_cost_usd, e.pricing_source, e.flags
from commits c
join events e on e.workspace_id = c.workspace_id and e.start_time between c.first_start_time and c.last_start_time
  and e.inserted_xid = c.xid and e.start_time >= $16 and e.start_time < $17
left join agents a on a.workspace_id = e.workspace_id and a.id = e.agent_id
where c.workspace_id = $1 and c.xid between $2::text::xid8 and $3::text::xid8
  and not pg_visible_in_snapshot(c.xid, $4::text::pg_snapshot) and pg_visible_in_snapshot(c.xid, $5::text::pg_snapshot)
  and ($6::timestamptz is null or c.xid > $2::text::xid8 or (e.start_time, e.trace_id, e.span_id) > ($6, $7::bytea, $8::bytea))
  and ($9::uuid is null or e.agent_id = $9)
  and ($10::bytea is null or e.trace_id = $10)
  and ($11::text is null or e.kind = $11)
  and ($12::text is null or e.status = $12)
  and ($13::text is null or e.model = $13)
  and ($14::text is null or e.tool_name = $14)
order by c.xid, e.start_time, e.trace_id, e.span_id
limit $15
