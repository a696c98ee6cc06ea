-- Reads the state of a decision and locks it until the transaction ends, so that changes of its state are serialized. The workspace is
-- locked first and the purge waits: a change of state also writes to the workspace, and would otherwise deadlock with the purge. No row
-- where the workspace is deleted. `approves`: a proposed decision waits for the approval of a user.
-- scope: $1
-- index: decisions_pkey
with home as materialized (
  select id, approves_decisions from workspaces where id = $1 and deleted_at is null for key share
)
select d.state, d.proven, home.approves_decisions as approves
from home
join decisions d on d.workspace_id = home.id
where d.workspace_id = $1 and d.id = $2 for update of d
