-- Locks the invites that may be deleted with a user. The order by id prevents a deadlock between two deleted users who have invited each other.
-- $1: the user's orgs, $2: the user, $3: the forms of the address
select id from invites where org_id = any($1::uuid[]) or invited_by = $2 or email = any($3::text[]) order by id for update
