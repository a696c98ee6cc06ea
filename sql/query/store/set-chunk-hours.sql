-- Sets the length of chunks that are created from now on.
select set_chunk_hours($1) as changed
