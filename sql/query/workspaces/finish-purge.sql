-- Marks a workspace as purged and erases its name; only the tombstone is left.
update workspaces set purged_at = now(), name = '' where id = $1
