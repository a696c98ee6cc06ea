-- The state of a decision, held until the transaction ends: movers wait for one another.
-- index: decisions_pkey
select state from decisions where workspace_id = $1 and id = $2 for update
