-- Inserts a workspace.
insert into workspaces (id, org_id, name, plan, redaction_secret, created_by) values ($1, $2, $3, $4, $5, $6)
