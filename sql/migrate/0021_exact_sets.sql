-- Which traces, sessions and inputs a rollup has seen, by hashes of 48 bits: what counts up to 100,000 are told exactly from. Null: unknown,
-- since a release that knows nothing of them wrote the row or the delta. Empty: too many (src/measure/sets.ts).
alter table rollups add column traces bytea, add column sessions bytea, add column inputs bytea,
  -- raised by whoever writes the sets with the rest
  add column writes integer not null default 0;
alter table rollups alter column traces set storage external, alter column sessions set storage external,
  alter column inputs set storage external;
alter table rollup_deltas add column sets bytea;
alter table rollup_deltas alter column sets set storage external;

-- The release before writes the rest of a row alone, and goes on doing so beside this one: its sets are unknown then.
create function forget_sets() returns trigger language plpgsql as $$
begin
  new.traces := null;
  new.sessions := null;
  new.inputs := null;
  return new;
end $$;
create trigger rollups_forget_sets before update on rollups
  for each row when (new.writes = old.writes) execute function forget_sets();
