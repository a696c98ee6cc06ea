-- Deletes a workspace's counts of months before $2. These are few rows, since there is one for each day.
-- index: usage_days_pkey, usage_months_pkey, usage_rejections_pkey
with days as (
  delete from usage_days where workspace_id = $1 and day < $2::date
), months as (
  delete from usage_months where workspace_id = $1 and month < $2::date
)
delete from usage_rejections where workspace_id = $1 and month < $2::date
