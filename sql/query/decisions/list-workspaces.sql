-- Lists workspaces in which the loop may have work: never scanned, data stored in the last hour, a live decision,
-- or a finding that may be over.
-- scope: all
-- index: workspaces_pkey, optimizer_progress_pkey, commits_pkey
select w.id from workspaces w
where w.id > $1 and w.deleted_at is null and (
  not exists (select from optimizer_progress p where p.workspace_id = w.id)
  or exists (select from commits c where c.workspace_id = w.id)
  or exists (select from decisions d where d.workspace_id = w.id and d.state <> 'disabled')
  or exists (select from findings f where f.workspace_id = w.id and f.status <> 'resolved')
)
order by w.id
limit $2
