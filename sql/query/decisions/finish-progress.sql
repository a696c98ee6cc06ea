-- Up to when the proposals of a workspace are made.
-- scope: $1
-- index: optimizer_progress_pkey
update optimizer_progress set proposed_until = $2 where workspace_id = $1
