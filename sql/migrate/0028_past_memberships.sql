-- Who was in an org, and when: what people did meanwhile stays in the log of the org after they have left it.
create table past_memberships (
  org_id uuid not null,
  -- plain columns, not references: the row outlives the user
  user_id uuid not null,
  -- -infinity: before the oldest line of the audit log
  joined_at timestamptz not null,
  left_at timestamptz not null,
  primary key (org_id, left_at, user_id)
);
create index past_memberships_by_end on past_memberships (left_at);

-- By a trigger, so that it also holds for the release before and for users who are deleted. Runs as the owner: nobody else writes the
-- history. The clock and not now(), so that what the transaction itself logs, and what happens while it waits, is not later.
create function keep_past_membership() returns trigger language plpgsql security definer set search_path from current as $$
begin
  insert into past_memberships (org_id, user_id, joined_at, left_at)
  values (old.org_id, old.user_id, old.created_at, clock_timestamp());
  return null;
end $$;
create trigger memberships_kept after delete on memberships
  for each row execute function keep_past_membership();

-- After the trigger, which waits for whoever is leaving.
insert into past_memberships (org_id, user_id, joined_at, left_at)
select l.org_id, l.target::uuid,
  coalesce(
    (
      select max(j.at) from audit_log j
      where j.org_id = l.org_id and j.at <= l.at and j.target = l.target and j.action in ('member.join', 'auth.signup')
    ),
    '-infinity'
  ),
  l.at
from audit_log l
where l.action = 'member.remove' and l.org_id is not null and l.target is not null
on conflict do nothing;

-- The history goes with the lines that it is for.
create or replace function sweep_audit_log(max_rows bigint) returns bigint
language plpgsql security definer set search_path from current as $$
declare
  removed bigint;
begin
  perform set_config('tracewright.purging', 'on', true);
  delete from audit_log where id in (select id from audit_log where at < now() - interval '400 days' limit max_rows);
  get diagnostics removed = row_count;
  perform set_config('tracewright.purging', 'off', true);
  delete from past_memberships where (org_id, left_at, user_id) in (
    select org_id, left_at, user_id from past_memberships where left_at < now() - interval '400 days' limit max_rows
  );
  return removed;
end $$;
