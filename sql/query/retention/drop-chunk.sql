-- Drops what of a table ended at or before a time.
select drop_old_chunks($1, $2::timestamptz) as dropped
