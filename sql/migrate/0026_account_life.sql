-- What people change of their accounts themselves: time zone, password, sessions; and resets of passwords that were forgotten.

-- IANA name; null: none chosen
alter table users add column time_zone text;
-- moves with every change of the password but a rehash of the same one; null: as at the sign-up
alter table users add column password_changed_at timestamptz;

-- of the client that signed in, cut to 256 characters; null where it sent none, and for sessions of the release before
alter table sessions add column user_agent text;
-- IPv4 /24 or IPv6 /48, of the last sign-in or refresh
alter table sessions add column ip_prefix text;

create table password_resets (
  -- SHA-256 of the token, which is sent or shown once
  digest bytea primary key,
  user_id uuid not null references users (id) on delete cascade,
  -- of the owner who made the link, and in which org; null: the user asked for it by mail
  made_by uuid references users (id) on delete cascade,
  org_id uuid references orgs (id) on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  check ((made_by is null) = (org_id is null))
);
create index password_resets_by_user on password_resets (user_id);
create index password_resets_by_expiry on password_resets (expires_at);
