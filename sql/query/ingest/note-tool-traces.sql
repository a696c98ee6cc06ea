-- Notes kinds of traces with tools that the workspaces have now. Who notes something of the same workspace at the same time waits, and then
-- sees both. In the order of keys, so that rivals cannot deadlock.
-- index: workspaces_pkey
with given as (
  select workspace_id, bool_or(infers) as infers, bool_or(alone) as alone
  from unnest($1::uuid[], $2::boolean[], $3::boolean[]) as given (workspace_id, infers, alone)
  group by 1
), held as materialized (
  select w.id from workspaces w where w.id in (select workspace_id from given) order by w.id for no key update
)
update workspaces w
set infers_tools = w.infers_tools or g.infers, reports_tools_alone = w.reports_tools_alone or g.alone
from held h join given g on g.workspace_id = h.id
where w.id = h.id
returning w.id as workspace_id, w.infers_tools, w.reports_tools_alone
