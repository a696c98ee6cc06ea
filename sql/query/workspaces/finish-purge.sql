-- nothing is left but the tombstone
update workspaces set purged_at = now(), name = '' where id = $1
