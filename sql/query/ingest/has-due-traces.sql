-- Whether a trace has been quiet for $1 milliseconds. It may be one that ingest/list-due-traces skips.
-- index: traces_to_settle
select exists (
  select from traces where not settled and last_received_at <= now() - $1 * interval '1 millisecond'
) as due
