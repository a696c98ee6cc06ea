-- The plans that live workspaces are on.
select distinct plan from workspaces where deleted_at is null
