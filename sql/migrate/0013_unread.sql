-- Rules about results that no model reads are proven by sessions, per agent, tool and version: what was counted of each subject.

create table unread_evidence (
  workspace_id uuid not null,
  -- the purge of a workspace goes by primary keys, which hold no nulls
  id uuid not null default gen_random_uuid(),
  tool_name text not null,
  -- null: the tool declares none
  tool_version text,
  -- null: every agent
  agent_id uuid,
  -- every execution that an earlier transaction stored has been seen
  next_xid xid8 not null,
  -- as src/decisions/unread/unread-evidence.ts writes it
  state jsonb not null,
  primary key (workspace_id, id),
  unique nulls not distinct (workspace_id, tool_name, tool_version, agent_id)
);
