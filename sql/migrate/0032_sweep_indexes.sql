-- no-transaction
-- Indexes for the sweeps of ended keys, workspaces and orgs. Built without blocking writes.
drop index concurrently if exists api_keys_by_revocation;
create index concurrently api_keys_by_revocation on api_keys (revoked_at) where revoked_at is not null;
drop index concurrently if exists workspaces_by_purge;
create index concurrently workspaces_by_purge on workspaces (purged_at) where purged_at is not null;
drop index concurrently if exists orgs_by_deletion;
create index concurrently orgs_by_deletion on orgs (deleted_at) where deleted_at is not null;
