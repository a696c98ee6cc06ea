-- Deletes the trials of a decision ($2) except the newest $3 matching and the newest $3 non-matching ones. One boundary row is looked up
-- for each kind, so that no plan compares every trial with every other.
-- scope: $1
-- index: decision_trials_pkey
delete from decision_trials t
using (values (true), (false)) kind(matched)
cross join lateral (
  select o.start_time, o.trace_id, o.span_id
  from decision_trials o
  where o.workspace_id = $1 and o.decision_id = $2 and o.matched = kind.matched
  order by o.start_time desc, o.trace_id desc, o.span_id desc
  offset $3 limit 1
) last
where t.workspace_id = $1 and t.decision_id = $2 and t.matched = kind.matched
  and (t.start_time, t.trace_id, t.span_id) <= (last.start_time, last.trace_id, last.span_id)
