-- Reads whether TimescaleDB is installed, under which license, and whether the tables of the service are hypertables.
select
  (select extversion from pg_extension where extname = 'timescaledb') as version,
  current_setting('timescaledb.license', true) as license,
  (select count(*) from list_chunked_tables()) = 3 as chunked
