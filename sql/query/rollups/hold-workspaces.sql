-- Locks those of the given workspaces that are alive and whose rollups no other transaction works on, until the transaction ends. A purge
-- waits for it, and a deleted workspace gets no new rows.
with alive as materialized (
  select id from workspaces where id = any ($1::uuid[]) and deleted_at is null order by id for key share
)
select id from alive where pg_try_advisory_xact_lock(7277415, hashtext(id::text))
