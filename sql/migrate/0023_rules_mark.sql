-- Rules are named by the number of writes and a mark. In a database that was put back to an earlier state, or that took over without the last
-- transactions, the number alone may come to name other rules.
alter table workspaces add column rules_mark text not null default '0';

-- By a trigger, so that the rules that the release before writes get a mark too.
create function mark_rules() returns trigger language plpgsql as $$
begin
  new.rules_mark := left(replace(gen_random_uuid()::text, '-', ''), 12);
  return new;
end $$;
create trigger workspaces_rules_marked before update of rules_version on workspaces
  for each row execute function mark_rules();
