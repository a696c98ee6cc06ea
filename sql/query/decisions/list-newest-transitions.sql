-- Lists the audit trail of a decision, newest first.
-- scope: $1
-- index: decision_transitions_by_decision
select id, from_state, to_state, actor, user_id, reason, measures, at
from decision_transitions
where workspace_id = $1 and decision_id = $2
order by at desc, id desc
limit $3 offset $4
