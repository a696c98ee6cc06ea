-- no-transaction
-- Real calls of tools whose customer attests that nobody misses an unread result; few tools, so the indexes are small.

-- on plain tables
-- In the order of time.
drop index concurrently if exists events_unread_starts;
create index concurrently events_unread_starts on events (workspace_id, tool_name, start_time)
  where attested_unread and not served;
-- In the order of commits: what comes late is found.
drop index concurrently if exists events_unread_commits;
create index concurrently events_unread_commits on events (workspace_id, tool_name, inserted_xid)
  where attested_unread and not served;

-- on chunks
drop index if exists events_unread_starts;
create index events_unread_starts on events (workspace_id, tool_name, start_time)
  with (timescaledb.transaction_per_chunk) where attested_unread and not served;
drop index if exists events_unread_commits;
create index events_unread_commits on events (workspace_id, tool_name, inserted_xid)
  with (timescaledb.transaction_per_chunk) where attested_unread and not served;
