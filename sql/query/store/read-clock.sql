-- Reads the time by the clock of the database, which all processes use:
-- a process whose own clock is ahead must not remove data that is kept.
select clock_timestamp() as now
