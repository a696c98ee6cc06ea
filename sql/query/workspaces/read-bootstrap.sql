-- Reads all that an SDK needs at its start. $1: workspace, $2: key
-- scope: $1
-- index: workspaces_pkey, api_keys_pkey, usage_months_pkey
select w.id, w.name, w.org_id, o.name as org_name, w.plan, w.freshness_s,
  w.rules_mark || '.' || w.rules_version as rules_version,
  k.id as key_id, k.name as key_name, k.key_prefix, coalesce(u.accepted, 0) as accepted_events, now() as server_time
from workspaces w
join orgs o on o.id = w.org_id
join api_keys k on k.workspace_id = w.id and k.id = $2
left join usage_months u on u.workspace_id = w.id and u.month = date_trunc('month', now() at time zone 'UTC')::date
where w.id = $1 and w.deleted_at is null
