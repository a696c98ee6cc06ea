-- Reads the version of the schema, which also shows that the database is available.
select version from schema_migrations order by version desc limit 1
