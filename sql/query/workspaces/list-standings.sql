-- Lists the orgs of a user with the user's role in each.
-- index: memberships_by_user
select o.id, o.name, m.role
from memberships m join orgs o on o.id = m.org_id
where m.user_id = $1
