-- The payload blocks of one group commit, before it is known which of them are needed. One a connection; emptied by every commit.
create temp table if not exists stage_blocks (
  workspace_id uuid not null,
  id uuid not null,
  start_time timestamptz not null,
  body bytea not null
) on commit delete rows
