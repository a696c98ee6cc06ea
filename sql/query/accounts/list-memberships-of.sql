-- Lists the orgs of a user with the numbers of other members and other owners, in the order in which orgs are locked.
-- index: memberships_by_user, memberships_pkey
select m.org_id, m.role,
  (select count(*) from memberships o where o.org_id = m.org_id and o.user_id <> m.user_id) as others,
  (select count(*) from memberships o where o.org_id = m.org_id and o.user_id <> m.user_id and o.role = 'owner') as other_owners
from memberships m
where m.user_id = $1
order by m.org_id
