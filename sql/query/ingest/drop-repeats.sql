-- Of a span that was sent twice within one group commit, the first stays.
delete from stage s
using (
  select ctid, row_number() over (partition by workspace_id, start_time, trace_id, span_id order by batch_no, row_no) as nth
  from stage
) ranked
where s.ctid = ranked.ctid and ranked.nth > 1
