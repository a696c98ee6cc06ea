-- How many decisions a workspace has of each type in each state.
select type, state, count(*) as decisions from decisions where workspace_id = $1 group by type, state order by type, state
