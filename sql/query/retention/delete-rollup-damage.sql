-- Deletes unreadable bytes of rollups that were found before $2.
-- index: rollup_damage_pkey
delete from rollup_damage where workspace_id = $1 and found_at < $2
