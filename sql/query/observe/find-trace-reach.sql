-- Between which times the spans of a trace start: the way to them that leaves chunks out.
-- index: traces_pkey
select start_time as first, end_time as last
from traces
where workspace_id = $1 and trace_id = $2
