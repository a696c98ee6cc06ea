-- Is the database there, and does it know our schema.
select version from schema_migrations order by version desc limit 1
