-- Inserts agents. Two transactions that add the same name wait for each other here, in the order of the names.
insert into agents (workspace_id, id, name, first_seen, last_seen, provisional)
select workspace_id, id, name, now(), '-infinity', provisional
from unnest($1::uuid[], $2::uuid[], $3::text[], $4::boolean[]) as added (workspace_id, id, name, provisional)
order by workspace_id, name
on conflict (workspace_id, name) do nothing
