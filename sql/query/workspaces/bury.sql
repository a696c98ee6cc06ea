-- deletion: a tombstone, and the key of its redaction marks is destroyed first
update workspaces set deleted_at = now(), redaction_secret = '' where id = $1 and deleted_at is null
