-- Stores when the detection of findings of a workspace last began.
-- scope: $1
-- index: optimizer_progress_pkey
update optimizer_progress set found_at = $2 where workspace_id = $1
