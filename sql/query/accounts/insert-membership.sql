-- signup and invites: no row where the user is a member already
insert into memberships (org_id, user_id, role)
values ($1, $2, $3)
on conflict (org_id, user_id) do nothing
returning role
