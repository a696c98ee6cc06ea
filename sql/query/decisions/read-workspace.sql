-- Reads what a proposal needs of a workspace and locks it for the proposal's writes, so that the purge waits.
-- $2: where counting live decisions ends. A config longer than 1.5 KiB counts once for each 1.5 KiB, since SDKs receive all of them in one body.
-- scope: $1
-- index: decisions_to_measure
select
  org_id,
  freshness_s,
  holdout_rate,
  floor,
  alpha,
  (
    select coalesce(sum(ceil(octet_length(config::text) / 1536.0)), 0)::int
    from (select d.config from decisions d where d.workspace_id = $1 and d.state <> 'disabled' limit $2) l
  ) as living
from workspaces
where id = $1 and deleted_at is null
for key share
