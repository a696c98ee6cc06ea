-- What decoding and admitting need to know of a workspace.
select plan, content_mode, redaction_secret from workspaces where id = $1 and deleted_at is null
