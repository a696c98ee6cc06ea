-- How many rows each table of ours holds, one line a table: name|rows.
select format('select %L, count(*) from public.%I', tablename, tablename) from pg_tables where schemaname = 'public' order by tablename \gexec
