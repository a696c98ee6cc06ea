-- Finds the work of a workspace that has been due longest, as of $2 ms from now.
-- index: rollup_work_pkey
select kind, extract(epoch from start_time)::bigint as start_s, extract(epoch from end_time)::bigint as end_s
from rollup_work
where workspace_id = $1 and due_at <= now() + interval '1 millisecond' * $2::float8
order by due_at, kind, start_time
limit 1
