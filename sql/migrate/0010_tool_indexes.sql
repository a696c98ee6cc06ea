-- no-transaction
-- Serving and proving look at failed calls too: an error ends serving. The indexes from before leave errors out, and every statement that
-- does so as well can use the new ones in their place.
-- retires: events_executions, events_attested

-- on plain tables
-- Real calls of one input, newest first.
drop index concurrently if exists events_calls;
create index concurrently events_calls on events (workspace_id, tool_name, input_hash, start_time desc)
  where tool_name is not null and not served;
-- Attested calls in the order of time.
drop index concurrently if exists events_attested_calls;
create index concurrently events_attested_calls on events (workspace_id, tool_name, start_time)
  where attested and not served;
-- Attested calls in the order of commits: the trial of rules goes along it and misses none.
drop index concurrently if exists events_attested_commits;
create index concurrently events_attested_commits on events (workspace_id, tool_name, inserted_xid)
  where attested and not served;
-- Calls whose results nobody reads, by whose result it is, newest first.
drop index concurrently if exists events_unread_calls;
create index concurrently events_unread_calls on events (workspace_id, tool_name, scope_hash, start_time desc)
  where attested_unread and not served and scope_hash is not null;

-- on chunks
drop index if exists events_calls;
create index events_calls on events (workspace_id, tool_name, input_hash, start_time desc)
  with (timescaledb.transaction_per_chunk) where tool_name is not null and not served;
drop index if exists events_attested_calls;
create index events_attested_calls on events (workspace_id, tool_name, start_time)
  with (timescaledb.transaction_per_chunk) where attested and not served;
drop index if exists events_attested_commits;
create index events_attested_commits on events (workspace_id, tool_name, inserted_xid)
  with (timescaledb.transaction_per_chunk) where attested and not served;
drop index if exists events_unread_calls;
create index events_unread_calls on events (workspace_id, tool_name, scope_hash, start_time desc)
  with (timescaledb.transaction_per_chunk) where attested_unread and not served and scope_hash is not null;
