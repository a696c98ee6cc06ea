-- Lists the plans of live workspaces, with the retention days that workspaces chose themselves.
select distinct plan, retention_days from workspaces where deleted_at is null
