-- Which traces, sessions and inputs a rollup has seen, by hashes of 48 bits: what counts up to 100,000 are told exactly from
-- (src/sketches/sets.ts). Null: not known, since a release that knows nothing of them wrote the row or the delta.
alter table rollups add column sets bytea,
  -- raised by whoever writes the sets with the rest
  add column writes integer not null default 0;
alter table rollups alter column sets set storage external;
alter table rollup_deltas add column sets bytea;
alter table rollup_deltas alter column sets set storage external;

-- The release before writes the rest of a row alone, and goes on doing so beside this one: its sets are not known then.
create function forget_sets() returns trigger language plpgsql as $$
begin
  new.sets := null;
  return new;
end $$;
create trigger rollups_forget_sets before update on rollups
  for each row when (new.writes = old.writes) execute function forget_sets();
