-- The length of chunks that are made from now on.
select set_chunk_hours($1) as changed
