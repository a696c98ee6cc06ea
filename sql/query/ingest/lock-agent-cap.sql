-- One transaction at a time gives slots of the agent cap of a workspace; lasts until it ends.
select pg_advisory_xact_lock(7277412, hashtext($1::text))
