-- Locks agents whose counts will change, until the transaction ends: those of the ids $1 and $2 and of the names $3 and $4. Locks in the
-- order of keys, as the statements that change them do; this prevents deadlocks if several of these follow each other.
-- index: agents_pkey, agents_workspace_id_name_key
with counted as materialized (
  select * from unnest($1::uuid[], $2::uuid[]) as known (workspace_id, id)
  union
  select a.workspace_id, a.id
  from unnest($3::uuid[], $4::text[]) as named (workspace_id, name)
  join agents a on a.workspace_id = named.workspace_id and a.name = named.name
)
select from agents a
where (a.workspace_id, a.id) in (select workspace_id, id from counted)
order by a.workspace_id, a.id
for no key update
