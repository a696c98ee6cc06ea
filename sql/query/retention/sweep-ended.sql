-- Deletes up to $1 revoked keys, purged workspaces and deleted orgs each, of those that ended more than 400 days ago.
select sweep_ended_records($1) as removed
