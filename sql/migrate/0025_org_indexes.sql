-- no-transaction
-- Indexes for the reading and the retention of the audit log, the limit on free workspaces, and the deletion of users.
drop index concurrently if exists audit_log_by_workspace;
create index concurrently audit_log_by_workspace on audit_log (audited_workspace_id, at desc, id desc);
-- What people do before they are in an org, such as signing in. Whoever fails to is named as the target.
drop index concurrently if exists audit_log_by_person;
create index concurrently audit_log_by_person on audit_log (coalesce(actor_user_id::text, target), at desc, id desc) where org_id is null;
-- For the retention alone. A B-tree would invite the planner to read the lines of one org among those of all others.
drop index concurrently if exists audit_log_by_time;
create index concurrently audit_log_by_time on audit_log using brin (at);
drop index concurrently if exists workspaces_by_maker;
create index concurrently workspaces_by_maker on workspaces (created_by) where deleted_at is null;
-- A user who is deleted leaves no invite to their address behind.
drop index concurrently if exists invites_by_email;
create index concurrently invites_by_email on invites (email);
