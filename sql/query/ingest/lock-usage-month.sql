-- Reads what a capped workspace has accepted this month and locks the count until the transaction ends.
-- No row where the workspace is deleted.
insert into usage_months as m (workspace_id, month)
select id, date_trunc('month', now() at time zone 'UTC')::date from workspaces where id = $1 and deleted_at is null
on conflict (workspace_id, month) do update set accepted = m.accepted
returning accepted
