-- Lists the real, attested executions of a subject that were stored before its replay began, in the order of their starts, including failed ones.
-- $2 tool, $3 version or null, $4 agent or null, $5 input or null, $6: transactions before this one,
-- $7: or from this one on (a restored copy), $8 to $10: the execution after which to continue, or null, $11: how many,
-- $12: the decision whose holdout is marked
-- index: events_attested_calls
select (extract(epoch from e.start_time) * 1000000)::bigint as start_us, coalesce(e.duration_us, 0) as duration_us, e.input_hash,
  case when e.key_id is not null or e.content_hash = 'unstorable' then e.content_hash end as content_hash, e.status = 'error' as is_error,
  (e.holdout and e.decision_id = $12::uuid) is true as is_held_out,
  encode(e.trace_id, 'hex') as trace_id, encode(e.span_id, 'hex') as span_id, e.inserted_xid::text as xid, e.start_time::text as start_key
from events e
where e.workspace_id = $1 and e.tool_name = $2 and e.attested and not e.served and e.kind = 'tool' and e.input_hash is not null
  and e.tool_version is not distinct from $3::text and ($4::uuid is null or e.agent_id = $4) and ($5::text is null or e.input_hash = $5)
  and (e.inserted_xid < $6::text::xid8 or e.inserted_xid >= $7::text::xid8)
  and ($8::text is null or e.start_time >= $8::text::timestamptz)
  and ($8::text is null or (e.start_time, e.trace_id, e.span_id) > ($8::text::timestamptz, $9::bytea, $10::bytea))
order by e.start_time, e.trace_id, e.span_id
limit $11
