-- One transaction at a time adds agents to a capped workspace; lasts until it ends.
select pg_advisory_xact_lock(7277412, hashtext($1::text))
