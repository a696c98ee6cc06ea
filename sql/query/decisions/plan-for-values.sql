-- Until the transaction ends, statements are planned for the values that they run with: measuring reads a few rows of one decision and many
-- of another, and no single plan suits both.
select set_config('plan_cache_mode', 'force_custom_plan', true)
