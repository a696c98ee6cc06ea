-- The invalidations of the same that came before the newest one: a replay has to know which of them lies between two executions.

alter table invalidations
  -- the newest first, at most a hundred
  add column earlier timestamptz[] not null default '{}';
