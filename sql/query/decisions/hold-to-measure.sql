-- Holds a decision until the transaction ends; no row where someone else holds it.
-- index: decisions_pkey
select id from decisions where workspace_id = $1 and id = $2 for update skip locked
