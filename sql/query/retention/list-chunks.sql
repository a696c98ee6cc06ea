-- Lists chunks that ended at or before a time, oldest first; no rows on plain tables.
select table_name, ended_at::text as ended_at from list_chunks_before($1)
