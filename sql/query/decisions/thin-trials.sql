-- Deletes the trials of a decision ($2) except the newest $3 matching and the newest $3 non-matching ones. The boundary row of each kind is
-- looked up once: without statistics of the table, a plan would otherwise look it up again for every trial.
-- scope: $1
-- index: decision_trials_pkey
with boundary as materialized (
  select kind.matched, last.*
  from (values (true), (false)) kind(matched)
  cross join lateral (
    select o.start_time, o.trace_id, o.span_id
    from decision_trials o
    where o.workspace_id = $1 and o.decision_id = $2 and o.matched = kind.matched
    order by o.start_time desc, o.trace_id desc, o.span_id desc
    offset $3 limit 1
  ) last
)
delete from decision_trials t
using boundary b
where t.workspace_id = $1 and t.decision_id = $2 and t.matched = b.matched
  and (t.start_time, t.trace_id, t.span_id) <= (b.start_time, b.trace_id, b.span_id)
