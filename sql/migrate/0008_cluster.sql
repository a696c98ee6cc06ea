-- Who owns which partition of the workspaces, what fronts must be told of keys, and drops that were counted already.

-- What was fixed when the database was made; a process that counts otherwise must not start.
create table cluster_meta (
  only_row boolean primary key default true check (only_row),
  partition_count integer not null check (partition_count > 0)
);
insert into cluster_meta (partition_count) values (128);

-- The arbiter of ownership: whoever raises the epoch owns the partition, and every fenced write holds its row FOR SHARE.
create table partitions (
  pid integer primary key check (pid >= 0),
  -- never goes back while the database does not
  epoch bigint not null default 0 check (epoch >= 0),
  -- the member's name; null: free
  owner text,
  -- one start of one process
  boot text,
  since timestamptz not null default now(),
  check ((owner is null) = (boot is null))
);
insert into partitions (pid) select generate_series(0, 127);

-- Revoked keys in the order of their commits, for fronts that poll: `where seq > <last seen>` misses none.
create table key_events (
  seq bigint primary key,
  -- SHA-256 of the whole key text, as in api_keys
  digest bytea not null,
  at timestamptz not null default clock_timestamp()
);
create sequence key_events_seq owned by key_events.seq;
create index key_events_by_time on key_events (at);

-- A sequence alone does not count in the order of commits: a smaller number could appear after a larger one had been read.
-- So revocations stand in line from here to their commits. After the statement, when it has locked its keys already.
create function tell_revoked_keys() returns trigger language plpgsql as $$
begin
  if not exists (
    select from after_rows a join before_rows b using (id) where a.revoked_at is not null and b.revoked_at is null
  ) then
    return null;
  end if;
  -- Session and transaction locks of the service: 7277411 to 7277416.
  perform pg_advisory_xact_lock(7277416);
  insert into key_events (seq, digest)
  select nextval('key_events_seq'), a.digest
  from after_rows a join before_rows b using (id)
  where a.revoked_at is not null and b.revoked_at is null;
  -- No front trusts its memory for so long.
  delete from key_events where at < clock_timestamp() - interval '1 day';
  return null;
end $$;
create trigger api_keys_told after update on api_keys
  referencing old table as before_rows new table as after_rows
  for each statement execute function tell_revoked_keys();

-- Spans that a quota or a cap dropped, so that one which is sent again is not counted again. Written only where spans are dropped.
create table dropped_spans (
  workspace_id uuid not null,
  -- in which it was dropped
  month date not null,
  -- the first 16 bytes of the SHA-256 of trace id, span id and start time
  span_key bytea not null check (octet_length(span_key) = 16),
  primary key (workspace_id, month, span_key)
);
