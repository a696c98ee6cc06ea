-- What a capped workspace has accepted this month; holds the count until the transaction ends.
insert into usage_months as m (workspace_id, month)
values ($1, date_trunc('month', now() at time zone 'UTC')::date)
on conflict (workspace_id, month) do update set accepted = m.accepted
returning accepted
