-- Of the given workspaces, those that are alive and whose rollups nobody else works on; theirs until the transaction ends. A purge
-- waits for it, and one that has been deleted gets no new rows.
with alive as materialized (
  select id from workspaces where id = any ($1::uuid[]) and deleted_at is null order by id for key share
)
select id from alive where pg_try_advisory_xact_lock(7277415, hashtext(id::text))
