-- Marks a workspace as deleted and erases the secret of its redaction marks, before the purge removes its data.
update workspaces set deleted_at = now(), redaction_secret = '' where id = $1 and deleted_at is null
