-- People, orgs, workspaces, keys, sessions and the audit log.

create table orgs (
  id uuid primary key,
  name text not null,
  created_at timestamptz not null default now()
);

create table users (
  id uuid primary key,
  -- lower-cased; compared exactly
  email text not null unique,
  name text,
  -- PHC string, argon2id
  password_hash text not null,
  created_at timestamptz not null default now()
);

create table memberships (
  org_id uuid not null references orgs (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  role text not null check (role in ('owner', 'admin', 'member', 'viewer')),
  created_at timestamptz not null default now(),
  primary key (org_id, user_id)
);
create index memberships_by_user on memberships (user_id);

create table invites (
  id uuid primary key,
  org_id uuid not null references orgs (id) on delete cascade,
  email text not null,
  role text not null check (role in ('owner', 'admin', 'member', 'viewer')),
  -- SHA-256 of the token, which is shown once
  token_digest bytea not null unique,
  invited_by uuid not null references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  accepted_at timestamptz
);
create index invites_by_org on invites (org_id, created_at desc);

create table sessions (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  -- the refresh token last handed out carries this counter
  counter bigint not null default 0,
  -- when the counter last moved: the grace for a lost answer is measured from here
  rotated_at timestamptz not null default now(),
  -- per-session HMAC key, sealed with the service's secret
  sealed_secret bytea not null,
  created_at timestamptz not null default now(),
  idle_expires_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  revoked_reason text
);
create index sessions_by_user on sessions (user_id, created_at desc);
create index sessions_by_expiry on sessions (expires_at);

-- Attempts within fixed windows, counted for all fronts together.
create table throttles (
  -- SHA-256 of what is limited: no address is kept here
  key text primary key,
  points integer not null,
  expires_at timestamptz not null
);
create index throttles_by_expiry on throttles (expires_at);

create table signing_keys (
  -- RFC 7638 thumbprint
  kid text primary key,
  public_jwk jsonb not null,
  -- PKCS#8, sealed with the service's secret; AAD is the kid
  sealed_private_key bytea not null,
  created_at timestamptz not null default now(),
  -- signs from here on; published earlier, so that verifiers know it in time
  active_from timestamptz not null,
  -- no longer published after this; null while it is the next or the current key
  retired_at timestamptz
);

create table workspaces (
  id uuid primary key,
  org_id uuid not null references orgs (id) on delete cascade,
  name text not null,
  plan text not null,
  content_mode text not null default 'redacted' check (content_mode in ('none', 'redacted', 'full')),
  -- default window within which a stored tool result may be served
  freshness_s integer not null default 86400,
  -- HMAC key of redaction marks; random per workspace
  redaction_secret bytea not null,
  -- bumped with every change of a decision; the ETag of the rules
  rules_version bigint not null default 0,
  -- when rules_version moved last; set with it, so that every process serialises the rules into the same bytes
  rules_changed_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  -- a tombstone outlives every late message, so that nothing comes back to life
  deleted_at timestamptz,
  -- when the purge had removed everything
  purged_at timestamptz
);
create index workspaces_by_org on workspaces (org_id, name) where deleted_at is null;
create index workspaces_to_purge on workspaces (deleted_at) where deleted_at is not null and purged_at is null;

create table api_keys (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id),
  name text not null,
  key_prefix text not null,
  -- SHA-256 of the whole key text
  digest bytea not null unique,
  scopes text[] not null default '{ingest,rules:read,apply:read}',
  created_by uuid not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index api_keys_by_workspace on api_keys (workspace_id, created_at desc, id desc);

create table audit_log (
  id uuid primary key,
  at timestamptz not null default now(),
  org_id uuid,
  -- a plain column, not a reference: the line outlives the workspace
  audited_workspace_id uuid,
  actor_user_id uuid,
  action text not null,
  target text,
  request_id text,
  -- IPv4 /24 or IPv6 /48
  ip_prefix text,
  detail jsonb
);
create index audit_log_by_org on audit_log (org_id, at desc);
-- For every append-only table. The purge of a deleted workspace is the one thing that may take rows away.
create function refuse_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('tracewright.purging', true) = 'on' then
    return old;
  end if;
  raise exception 'the audit trail is append-only' using errcode = 'insufficient_privilege';
end $$;
create trigger audit_log_append_only before update or delete on audit_log
  for each row execute function refuse_change();

-- Removes up to max_rows rows of one deleted workspace from every table that has a workspace_id, and says how many. The
-- tables come from the catalog, so that a new one joins by itself; rows are named by their primary key, since a ctid means
-- nothing across the chunks of a hypertable.
create function purge_workspace_rows(workspace uuid, max_rows bigint) returns bigint language plpgsql as $$
declare
  tab record;
  removed bigint;
  total bigint := 0;
  blocked boolean := false;
begin
  if not exists (select from workspaces where id = workspace and deleted_at is not null) then
    raise exception 'only a deleted workspace is purged' using errcode = 'invalid_parameter_value';
  end if;
  perform set_config('tracewright.purging', 'on', true);
  for tab in
    select c.oid::regclass as name, string_agg(quote_ident(k.attname), ', ' order by k.attnum) as key_columns
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id' and not a.attisdropped
    join pg_index i on i.indrelid = c.oid and i.indisprimary
    join pg_attribute k on k.attrelid = c.oid and k.attnum = any (i.indkey)
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    group by c.oid
    order by c.relname
  loop
    exit when total >= max_rows;
    begin
      execute format(
        'delete from %1$s where workspace_id = $1 and (%2$s) in (select %2$s from %1$s where workspace_id = $1 limit $2)',
        tab.name, tab.key_columns
      ) using workspace, max_rows - total;
      get diagnostics removed = row_count;
      total := total + removed;
    exception when foreign_key_violation then
      -- its children stand later in the list: the next batch comes back to it
      blocked := true;
    end;
  end loop;
  perform set_config('tracewright.purging', 'off', true);
  if blocked and total = 0 then
    raise exception 'rows of the workspace are held by a foreign key from outside it' using errcode = 'foreign_key_violation';
  end if;
  return total;
end $$;
