-- Reads the range of start times of the spans of a trace, with which a query for them can exclude chunks.
-- index: traces_pkey
select start_time as first, end_time as last
from traces
where workspace_id = $1 and trace_id = $2
