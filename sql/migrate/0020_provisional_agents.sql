-- Agents that take no slot of the agent cap. An older release makes agents without these columns: those take one.
alter table agents
  -- no span names it for good so far (a span that arrives later may name another agent in its place), or the cap had no slot left for it
  add column provisional boolean not null default false,
  -- of a provisional agent: a trace was settled with it, so that it counts in the usage record while slots are left
  add column in_settled_trace boolean not null default false;
