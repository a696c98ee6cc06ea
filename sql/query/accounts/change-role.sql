-- Changes the role of a member. $1: org, $2: user
-- index: memberships_pkey, users_pkey
update memberships m set role = $3
from users u
where m.org_id = $1 and m.user_id = $2 and u.id = m.user_id
returning u.id as user_id, u.email, u.name, m.role, m.created_at
