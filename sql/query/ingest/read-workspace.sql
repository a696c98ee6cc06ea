-- Reads what decoding and admission need to know of a workspace.
-- scope: $1
select w.plan, w.content_mode, w.redaction_secret, p.revision as prices_revision
from workspaces w left join workspace_prices p on p.workspace_id = w.id
where w.id = $1 and w.deleted_at is null
