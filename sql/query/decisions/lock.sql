-- The state of a decision, held until the transaction ends: movers wait for one another. Its workspace is held first, and the purge
-- waits: who moves wants to write there as well, and would meet the purge on its way to the decision. No row where it is gone.
-- `approves`: what is proposed waits for the approval of a user.
-- scope: $1
-- index: decisions_pkey
with home as materialized (
  select id, approves_decisions from workspaces where id = $1 and deleted_at is null for key share
)
select d.state, d.proven, home.approves_decisions as approves
from home
join decisions d on d.workspace_id = home.id
where d.workspace_id = $1 and d.id = $2 for update of d
