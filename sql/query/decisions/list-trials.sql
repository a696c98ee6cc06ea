-- Lists one page of the trials of a decision ($2), oldest first, after a trial ($5 to $7, or null).
-- $3: matched or not, or null, $4: the phase, or null, $8: page size
-- scope: $1
-- index: decision_trials_pkey
select t.start_time, t.start_time::text as start_key, encode(t.trace_id, 'hex') as trace_id, encode(t.span_id, 'hex') as span_id,
  encode(t.candidate_trace_id, 'hex') as candidate_trace_id, encode(t.candidate_span_id, 'hex') as candidate_span_id, t.age_s, t.matched
from decision_trials t
where t.workspace_id = $1 and t.decision_id = $2
  and ($3::boolean is null or t.matched = $3)
  and ($4::text is null or t.phase = $4)
  and ($5::text is null or (t.start_time, t.trace_id, t.span_id) > ($5::text::timestamptz, decode($6, 'hex'), decode($7, 'hex')))
order by t.start_time, t.trace_id, t.span_id
limit $8
