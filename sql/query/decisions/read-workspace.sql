-- What a proposal has to know of a live workspace, and to hold while it writes: the purge waits. $2: where counting its living decisions ends
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
