-- Sets limits for the following statements of this transaction: each takes at most $1 milliseconds, and reads the newest rows along an index
-- until it has enough. A bitmap scan or a sequential scan would first read all rows of the window, and JIT compilation costs more than it
-- saves. With this work memory, 50,000 rows are sorted in memory.
-- index until it has enough. A bitmap, or a table read whole, would first take all rows of the window; compiling costs more than it wins. 50,000
select set_config('statement_timeout', $1, true), set_config('enable_bitmapscan', 'off', true),
  set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true), set_config('work_mem', '16MB', true)
