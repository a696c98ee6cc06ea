-- the invites that may go with a user, in the order of their ids: two who have invited each other may be deleted at once. $1: the user's orgs,
-- $2: the user, $3: the forms of the address
select id from invites where org_id = any($1::uuid[]) or invited_by = $2 or email = any($3::text[]) order by id for update
