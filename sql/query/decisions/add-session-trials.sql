-- Stores trials of a decision ($2) that are sessions, by their first execution: its start ($3, µs), trace ($4) and span ($5), and whether
-- no model used a result ($6). $7: the phase. On a conflict `matched` is replaced:
-- a session may use a result later that it has not used so far.
-- scope: $1
insert into decision_trials (workspace_id, decision_id, start_time, trace_id, span_id, matched, phase)
select $1, $2, 'epoch'::timestamptz + t.start_us * interval '1 microsecond', decode(t.trace_id, 'hex'), decode(t.span_id, 'hex'), t.matched, $7
from unnest($3::bigint[], $4::text[], $5::text[], $6::boolean[]) t(start_us, trace_id, span_id, matched)
on conflict (workspace_id, decision_id, start_time, trace_id, span_id) do update set matched = excluded.matched
where decision_trials.matched <> excluded.matched
