-- The plans that live workspaces are on, with the days that they chose themselves.
select distinct plan, retention_days from workspaces where deleted_at is null
