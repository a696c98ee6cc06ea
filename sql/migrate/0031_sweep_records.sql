-- What is left of keys, workspaces and orgs that ended: once no entry of the audit log names them, their rows are removed.

-- Runs as the owner. Removes up to max_rows of each: keys that were revoked, workspaces that were purged, and orgs that were deleted more
-- than 400 days ago. A key without a row is refused as one that never existed. No id comes back, since ids are never used again.
create function sweep_ended_records(max_rows bigint) returns bigint language plpgsql as $$
declare
  keys bigint;
  homes bigint;
  owners bigint;
begin
  delete from api_keys where id in (
    select id from api_keys where revoked_at < now() - interval '400 days' order by revoked_at limit max_rows
  );
  get diagnostics keys = row_count;
  delete from workspaces where id in (
    select id from workspaces where purged_at < now() - interval '400 days' order by purged_at limit max_rows
  );
  get diagnostics homes = row_count;
  delete from orgs where id in (
    select o.id from orgs o
    where o.deleted_at < now() - interval '400 days' and not exists (select from workspaces w where w.org_id = o.id)
    order by o.deleted_at limit max_rows
  );
  get diagnostics owners = row_count;
  return keys + homes + owners;
end $$;
