-- Adds a row to the audit trail of a decision ($2) that stays in its state ($4): $3 id, $5 reason, $6 measures
-- scope: $1
insert into decision_transitions (id, workspace_id, decision_id, from_state, to_state, actor, reason, measures)
values ($3, $1, $2, $4, $4, 'gate', $5, $6)
