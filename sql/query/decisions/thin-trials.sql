-- Of the trials of a decision ($2) the newest $3 right and $3 wrong ones stay.
-- index: decision_trials_pkey
with ranked as (
  select t.start_time, t.trace_id, t.span_id,
    row_number() over (partition by t.matched order by t.start_time desc, t.trace_id desc, t.span_id desc) as place
  from decision_trials t
  where t.workspace_id = $1 and t.decision_id = $2
)
delete from decision_trials t
using ranked r
where t.workspace_id = $1 and t.decision_id = $2 and r.place > $3
  and (t.start_time, t.trace_id, t.span_id) = (r.start_time, r.trace_id, r.span_id)
