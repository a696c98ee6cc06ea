-- one process purges a workspace; the others pass it by. $2: late writers are done with what was buried before this time
select id, deleted_at <= $2 as settled
from workspaces
where id = $1 and deleted_at is not null and purged_at is null
for update skip locked
