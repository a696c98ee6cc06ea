-- Until the transaction ends, statements are planned for the values that they are run with: what measuring reads is a few rows of one
-- decision and many of another, and no one plan is right for both.
select set_config('plan_cache_mode', 'force_custom_plan', true)
