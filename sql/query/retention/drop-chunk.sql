-- Drops the chunks of a table that ended at or before both times.
select drop_old_chunks($1, least($2::timestamptz, $3::timestamptz)) as dropped
