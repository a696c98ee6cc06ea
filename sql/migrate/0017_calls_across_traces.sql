-- no-transaction
-- Where the same call of a model may stand in another trace: by the provider's id of the response, and without one by its start.

-- Calls are looked for in other traces where several scopes report calls; up to two of their names.
alter table workspaces add column if not exists call_scopes text[] not null default '{}';

-- on plain tables
drop index concurrently if exists events_responses;
create index concurrently events_responses on events (workspace_id, response_id, start_time)
  where response_id is not null;
drop index concurrently if exists events_calls_without_id;
create index concurrently events_calls_without_id on events (workspace_id, start_time)
  where kind in ('llm', 'embedding') and response_id is null;

-- on chunks
drop index if exists events_responses;
create index events_responses on events (workspace_id, response_id, start_time)
  with (timescaledb.transaction_per_chunk) where response_id is not null;
drop index if exists events_calls_without_id;
create index events_calls_without_id on events (workspace_id, start_time)
  with (timescaledb.transaction_per_chunk) where kind in ('llm', 'embedding') and response_id is null;
