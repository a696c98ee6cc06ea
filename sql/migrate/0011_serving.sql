-- What serving asks before it answers: what was invalidated, and which inputs of which version of a tool a rule covers.

-- Results of executions that began before `at` are not served. Null matches everything.
create table invalidations (
  workspace_id uuid not null,
  id uuid not null,
  at timestamptz not null,
  tool_name text not null,
  agent_name text,
  tool_version text,
  input_hash text,
  primary key (workspace_id, id)
);
-- A later invalidation of the same replaces the earlier one, so that rows do not grow with calls.
create unique index invalidations_by_subject on invalidations (workspace_id, tool_name, input_hash, tool_version, agent_name)
  nulls not distinct;
create index invalidations_by_tool on invalidations (workspace_id, tool_name, at);

-- One living decision for each version of a tool takes two releases: the one before needs decisions_by_subject, which knows no versions.
-- No statement depends on it from now on, so that the next release can put an index with tool_version in its place.
-- retires: decisions_by_subject
alter table decisions
  -- strictly what the tool declares; null: it declares none
  add column tool_version text,
  -- the whole hashes of the inputs that are served; null: not restricted
  add column inputs text[],
  -- a person activated it although the gate had not passed it
  add column forced boolean not null default false,
  -- the gate has passed it
  add column proven boolean not null default false;
