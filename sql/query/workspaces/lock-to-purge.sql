-- Locks a workspace for its purge; other processes skip it. $2: milliseconds after which late writers are done,
-- by the clock of the database
select id, deleted_at <= now() - $2 * interval '1 millisecond' as settled
from workspaces
where id = $1 and deleted_at is not null and purged_at is null
for update skip locked
