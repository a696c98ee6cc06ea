-- Drops what of a table ended at or before a time.
select drop_chunks_before($1, $2::timestamptz) as dropped
