-- Returns whether an owner may let a member's password be reset. The link gives access to all that the member may do, so the member's
-- rights must not exceed the owner's. $1: owner, $2: member, $3: org
-- index: memberships_pkey, memberships_by_user
select
  exists (select from memberships where org_id = $3 and user_id = $2) as is_member,
  exists (select from memberships where org_id = $3 and user_id = $1 and role = 'owner') as is_owner,
  not exists (
    select from memberships theirs
    where theirs.user_id = $2
      and not exists (
        select from memberships own where own.org_id = theirs.org_id and own.user_id = $1 and own.role = 'owner'
      )
  ) as is_within
