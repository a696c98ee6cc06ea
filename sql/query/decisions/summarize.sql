-- Counts the decisions of a workspace by type and state.
-- scope: $1
select type, state, count(*) as decisions from decisions where workspace_id = $1 group by type, state order by type, state
