-- What the ends of accounts and orgs, the limit on free workspaces, and the retention of the audit log need.

-- An org that nobody is left in: its row stays for the tombstones of its workspaces, without its name.
alter table orgs add column deleted_at timestamptz;

-- Who made it: free workspaces are counted by their makers. Null where an older release made it after this migration.
alter table workspaces add column created_by uuid;
update workspaces w set created_by = a.actor_user_id
from audit_log a
where a.audited_workspace_id = w.id and a.action = 'workspace.create';

-- Removes up to max_rows lines of the audit log that are older than 400 days, and says how many. It cannot be asked for younger ones.
create function sweep_audit_log(max_rows bigint) returns bigint language plpgsql as $$
declare
  removed bigint;
begin
  perform set_config('tracewright.purging', 'on', true);
  delete from audit_log where id in (select id from audit_log where at < now() - interval '400 days' limit max_rows);
  get diagnostics removed = row_count;
  perform set_config('tracewright.purging', 'off', true);
  return removed;
end $$;
