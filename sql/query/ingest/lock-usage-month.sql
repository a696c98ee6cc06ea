-- Reads what a capped workspace has accepted this month. Unless that has reached its quota $2, locks the count until the transaction ends.
-- No row if the quota is used up, or if there is no count yet and the workspace is deleted.
-- index: usage_months_pkey
with held as materialized (
  select accepted from usage_months
  where workspace_id = $1 and month = date_trunc('month', now() at time zone 'UTC')::date and accepted < $2
  for no key update
), opened as (
  insert into usage_months as m (workspace_id, month)
  select id, date_trunc('month', now() at time zone 'UTC')::date
  from workspaces w
  where id = $1 and deleted_at is null and not exists (
    select from usage_months known
    where known.workspace_id = w.id and known.month = date_trunc('month', now() at time zone 'UTC')::date
  )
  on conflict (workspace_id, month) do update set accepted = m.accepted
  returning accepted
)
select accepted from held union all select accepted from opened
