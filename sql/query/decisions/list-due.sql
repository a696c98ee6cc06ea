-- Decisions in these states ($2) that were measured before $3 or never, those first whose measurement is the oldest.
-- index: decisions_to_measure
select id, state from decisions
where workspace_id = $1 and state <> 'disabled' and state = any ($2::text[]) and (measured_at is null or measured_at < $3)
order by measured_at nulls first, id
limit $4
