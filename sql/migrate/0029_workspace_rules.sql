-- What a workspace sets for the rules that are proposed from here on, and for how long it keeps what it was sent.

alter table workspaces
  -- share of matched calls that run for real while a rule is active
  add column holdout_rate double precision not null default 0.05 check (holdout_rate between 0.01 and 0.5),
  -- the share of right results that a rule must surpass
  add column floor double precision not null default 0.95 check (floor between 0.5 and 0.999),
  -- how likely a rule at or below the floor may ever pass
  add column alpha double precision not null default 0.05 check (alpha between 0.001 and 0.2),
  -- less than the plan keeps; null: as long as that
  add column retention_days integer check (retention_days > 0);
