-- Reads what a proposal needs of a workspace and locks it for the proposal's writes, so that the purge waits.
-- $2: where counting live decisions ends
-- scope: $1
-- index: decisions_to_measure
select
  org_id,
  freshness_s,
  holdout_rate,
  floor,
  alpha,
  (
    select count(*) from (select from decisions d where d.workspace_id = $1 and d.state <> 'disabled' limit $2) l
  ) as living
from workspaces
where id = $1 and deleted_at is null
for key share
