-- Finds what an id of the service refers to in a workspace: at most one row, by the primary key of each table.
-- scope: $1
-- index: agents_pkey, decisions_pkey, findings_pkey, api_keys_pkey
select 'agent' as kind from agents where workspace_id = $1 and id = $2
union all
select 'decision' from decisions where workspace_id = $1 and id = $2
union all
select 'finding' from findings where workspace_id = $1 and id = $2
union all
select 'key' from api_keys where workspace_id = $1 and id = $2
limit 1
