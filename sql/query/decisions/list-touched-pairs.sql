-- The inputs with which these tools ($2) ran attested from $3 to $4, by the newest $5 runs of each tool: those on which nothing of
-- the type $6 lives and nothing was disabled since $7. The busiest first; whose turn it is among equals changes with every look.
-- index: events_attested
select touched.tool_name, touched.input_hash
from (
  select t.tool_name, e.input_hash, count(*) as runs
  from unnest($2::text[]) t(tool_name)
  cross join lateral (
    select e.input_hash from events e
    where e.workspace_id = $1 and e.tool_name = t.tool_name and e.attested and not e.served and e.status <> 'error'
      and e.start_time >= $3 and e.start_time < $4
    order by e.start_time desc
    limit $5
  ) e
  where e.input_hash is not null
  group by 1, 2
) touched
where not exists (
    select from decisions d where d.workspace_id = $1 and d.type = $6 and d.tool_name = touched.tool_name
      and d.input_hash = touched.input_hash and d.state <> 'disabled'
  ) and not exists (
    select from decisions d where d.workspace_id = $1 and d.type = $6 and d.tool_name = touched.tool_name
      and d.input_hash = touched.input_hash and d.state = 'disabled' and d.disabled_at >= $7
  )
order by touched.runs desc, hashtextextended(touched.tool_name || ' ' || touched.input_hash, extract(epoch from $4::timestamptz)::bigint)
limit $8
