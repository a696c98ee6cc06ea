-- Reads what a capped workspace has accepted this month, without waiting for transactions that are about to add to it.
select accepted from usage_months where workspace_id = $1 and month = date_trunc('month', now() at time zone 'UTC')::date
