-- Lists the members of an org, in the order in which they joined.
-- index: memberships_pkey
select u.id as user_id, u.email, u.name, m.role, m.created_at
from memberships m join users u on u.id = m.user_id
where m.org_id = $1
order by m.created_at, u.id
limit $2 offset $3
