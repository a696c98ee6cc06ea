-- The time by the clock of the database, which decides for all processes: one whose own clock is ahead must not remove what is kept.
select now() as now
