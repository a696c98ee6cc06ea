-- Adds a member at signup or by an invite. No row where the user is already a member.
insert into memberships (org_id, user_id, role)
values ($1, $2, $3)
on conflict (org_id, user_id) do nothing
returning role
