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
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the audit trail is append-only' using errcode = 'insufficient_privilege';
end $$;
create trigger audit_log_append_only before update or delete on audit_log
  for each row execute function refuse_change();
