-- Keeps the first $2[i] rows of workspace $1[i]; gives how many each request lost.
with ranked as (
  select ctid, workspace_id, row_number() over (partition by workspace_id order by batch_no, row_no) as nth from stage
), dropped as (
  delete from stage s
  using ranked, unnest($1::uuid[], $2::bigint[]) as quota (workspace_id, remaining)
  where s.ctid = ranked.ctid and quota.workspace_id = ranked.workspace_id and ranked.nth > quota.remaining
  returning s.batch_no
)
select batch_no, count(*) as spans from dropped group by batch_no
