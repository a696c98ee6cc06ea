-- Chunks by time: where TimescaleDB is there, the tables that grow with traffic become hypertables; where it is not, they stay
-- plain tables and every other statement is the same. All that only one of the two knows stands here.

-- Brings the extension where the server has loaded it, and otherwise leaves the database as it is: created without the preload,
-- it would end this session. A role that may not create it leaves that to whoever may.
do $$
begin
  if current_setting('timescaledb.disable_load', true) is not null
    and exists (select from pg_available_extensions where name = 'timescaledb')
  then
    create extension if not exists timescaledb;
  end if;
exception when insufficient_privilege then
  raise notice 'TimescaleDB is loaded, but this role may not create the extension';
end $$;

-- The hypertables among our tables; none without the extension.
create function list_chunked_tables() returns setof text language plpgsql stable as $$
begin
  if exists (select from pg_extension where extname = 'timescaledb') then
    return query select h.hypertable_name::text from timescaledb_information.hypertables h
      where h.hypertable_schema = current_schema() and h.hypertable_name in ('events', 'payload_blocks', 'tool_results');
  end if;
end $$;

-- Makes hypertables of those that are not, and gives how many. Rows that are there already move in the same transaction, under
-- an exclusive lock: on a database that came to TimescaleDB later this is for a quiet hour.
create function chunk_tables() returns integer language plpgsql as $$
declare
  tab text;
  made integer := 0;
begin
  if not exists (select from pg_extension where extname = 'timescaledb') then
    return 0;
  end if;
  foreach tab in array array['events', 'payload_blocks', 'tool_results'] loop
    continue when tab in (select list_chunked_tables());
    -- The primary key leads to every row already; an index on the time alone would only cost.
    perform create_hypertable(
      tab::regclass, by_range('start_time', interval '1 day'), create_default_indexes => false, migrate_data => true);
    made := made + 1;
  end loop;
  return made;
end $$;

select chunk_tables();

-- Applies to chunks that are made from now on. Gives how many tables had another interval.
create function set_chunk_hours(hours integer) returns integer language plpgsql as $$
declare
  tab text;
  changed integer := 0;
begin
  for tab in select list_chunked_tables() loop
    if exists (
      select from timescaledb_information.dimensions d
      where d.hypertable_schema = current_schema() and d.hypertable_name = tab
        and d.time_interval is distinct from make_interval(hours => hours)
    ) then
      perform set_chunk_time_interval(tab::regclass, make_interval(hours => hours));
      changed := changed + 1;
    end if;
  end loop;
  return changed;
end $$;

-- Chunks that ended at or before a time, oldest first, an event's before its payload's.
create function list_chunks_before(bound timestamptz) returns table (table_name text, ended_at timestamptz)
language plpgsql stable as $$
begin
  if exists (select from pg_extension where extname = 'timescaledb') then
    return query select c.hypertable_name::text, c.range_end from timescaledb_information.chunks c
      where c.hypertable_schema = current_schema() and c.hypertable_name in ('events', 'payload_blocks', 'tool_results') and c.range_end <= bound
      order by c.range_end, c.hypertable_name;
  end if;
end $$;

-- Drops what of a table ended at or before a time: files are removed, no row is read. Gives how many chunks.
create function drop_chunks_before(table_name text, bound timestamptz) returns integer language plpgsql as $$
declare
  dropped integer;
begin
  select count(*) into dropped from drop_chunks(table_name::regclass, older_than => bound);
  return dropped;
end $$;

-- Turns events older than `age` into the columnstore, by TimescaleDB's own job, and gives whether it does: the Apache edition
-- cannot. Payloads are compressed already and read one at a time: columns would win nothing and cost a batch a read.
create function compress_events_after(age interval) returns boolean language plpgsql as $$
declare
  known interval;
begin
  if 'events' not in (select list_chunked_tables())
    or current_setting('timescaledb.license', true) is distinct from 'timescale'
  then
    return false;
  end if;
  if not exists (
    select from timescaledb_information.hypertables h
    where h.hypertable_schema = current_schema() and h.hypertable_name = 'events' and h.compression_enabled
  ) then
    -- All columns of the primary key, or it could not be enforced.
    alter table events set (
      timescaledb.compress,
      timescaledb.compress_segmentby = 'workspace_id',
      timescaledb.compress_orderby = 'start_time desc, trace_id, span_id'
    );
  end if;
  select (j.config ->> 'compress_after')::interval into known from timescaledb_information.jobs j
    where j.proc_name = 'policy_compression' and j.hypertable_schema = current_schema() and j.hypertable_name = 'events';
  if known is distinct from age then
    perform remove_compression_policy('events', if_exists => true);
    perform add_compression_policy('events', compress_after => age);
  end if;
  return true;
end $$;
