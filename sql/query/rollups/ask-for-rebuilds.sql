-- Requests that windows be rebuilt from events after $4 ms. Repeated requests postpone a rebuild, but by no more than ten minutes.
insert into rollup_work as w (workspace_id, kind, start_time, end_time, due_at)
select workspace_id, 0, to_timestamp(start_s), to_timestamp(end_s), now() + interval '1 millisecond' * $4::float8
from unnest($1::uuid[], $2::bigint[], $3::bigint[]) as asked (workspace_id, start_s, end_s)
order by workspace_id, start_s
on conflict (workspace_id, kind, start_time) do update set
  end_time = greatest(w.end_time, excluded.end_time),
  due_at = least(w.asked_at + interval '10 minutes', excluded.due_at)
