-- Counts up the version of the rules of a workspace after a change.
-- index: workspaces_pkey
update workspaces set rules_version = rules_version + 1, rules_changed_at = now() where id = $1
