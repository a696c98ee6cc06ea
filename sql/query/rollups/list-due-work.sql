-- Lists workspaces with work that is due as of $1 ms from now, those that have waited longest first.
-- index: rollup_work_by_due
select workspace_id
from (
  select workspace_id, due_at from rollup_work
  where due_at <= now() + interval '1 millisecond' * $1::float8
  order by due_at
  limit 10000
) oldest
group by workspace_id
order by min(due_at)
