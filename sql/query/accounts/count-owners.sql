-- Counts the owners and the members of an org: an org keeps at least one owner.
select count(*) filter (where role = 'owner') as owners, count(*) as members from memberships where org_id = $1
