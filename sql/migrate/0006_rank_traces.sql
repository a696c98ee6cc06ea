-- Ranking the traces of a window by cost or duration looks at all of them: with these columns in the index that it goes along, it
-- reads none of the rows but those of the page, and nothing of other workspaces.
drop index traces_by_start;
create index traces_by_start on traces (workspace_id, start_time desc, trace_id desc) include (agent_id, cost_usd, duration_us);
