-- Holds a decision until the transaction ends, where it is still what it was when it was read ($3); no row where it is not, or where
-- someone else holds it.
-- index: decisions_pkey
select d.id
from decisions d
where d.workspace_id = $1 and d.id = $2 and concat_ws(' ', d.changed_at, d.measured_at) = $3
for update skip locked
