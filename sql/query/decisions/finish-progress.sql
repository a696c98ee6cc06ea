-- Stores the time up to which proposals of a workspace have been made.
-- scope: $1
-- index: optimizer_progress_pkey
update optimizer_progress set proposed_until = $2 where workspace_id = $1
