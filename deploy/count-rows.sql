-- How many rows each table of a dump holds, one line a table: name|rows, or schema.name|rows outside of public. The service's tables may be
-- in another schema, and a dump holds all schemas. Tables of the system and of extensions are left out.
select format('select %L, count(*) from %I.%I', case when n.nspname = 'public' then '' else n.nspname || '.' end || c.relname, n.nspname, c.relname)
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where c.relkind in ('r', 'p') and n.nspname !~ '^(pg_|_timescaledb_)' and n.nspname <> 'information_schema'
  and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
order by n.nspname <> 'public', n.nspname, c.relname \gexec
