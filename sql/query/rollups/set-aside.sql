-- Stores bytes that could not be read, for a later analysis.
insert into rollup_damage (workspace_id, source, from_time, to_time, body)
values ($1, $2, to_timestamp($3), to_timestamp($4), $5)
