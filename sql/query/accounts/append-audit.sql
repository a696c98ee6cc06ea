-- Appends one row to the audit log.
insert into audit_log (id, org_id, audited_workspace_id, actor_user_id, action, target, request_id, ip_prefix, detail)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
