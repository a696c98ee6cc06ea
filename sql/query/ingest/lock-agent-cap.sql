-- Lets one transaction at a time assign slots of the agent cap of a workspace. The lock lasts until the transaction ends.
select pg_advisory_xact_lock(7277412, hashtext($1::text))
