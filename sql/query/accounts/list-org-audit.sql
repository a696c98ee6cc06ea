-- Lists rows of the audit log of an org ($1), newest first. Of rows without an org, it lists those of people during their membership. The
-- list starts below a row ($4, $5) or, where $4 is null, at the end of the window ($3). $2 and $3 are in microseconds. A row without an
-- actor belongs to its target.
-- index: audit_log_by_org, audit_log_by_person, past_memberships_pkey
select l.id, l.at, l.at::text as at_key, l.audited_workspace_id as workspace_id, l.actor_user_id, u.email as actor_email,
  l.action, l.target, l.request_id, l.ip_prefix, l.detail
from (
  (
    select * from audit_log
    where org_id = $1
      and at >= 'epoch'::timestamptz + $2::bigint * interval '1 microsecond'
      and (at, id) < (coalesce($4, 'epoch'::timestamptz + $3::bigint * interval '1 microsecond'), $5::uuid)
      and ($6::uuid is null or coalesce(actor_user_id::text, target) = $6::text) and ($7::text is null or action = $7)
    order by at desc, id desc
    limit $8
  )
  union all
  (
    -- A user who joins again while being removed is in both tables for a moment.
    select distinct p.*
    from (
      select user_id, created_at as joined_at, 'infinity'::timestamptz as left_at from memberships where org_id = $1
      union all
      select user_id, joined_at, left_at from past_memberships
      where org_id = $1 and left_at >= 'epoch'::timestamptz + $2::bigint * interval '1 microsecond'
    ) m
    cross join lateral (
      select * from audit_log
      where org_id is null and coalesce(actor_user_id::text, target) = m.user_id::text and at between m.joined_at and m.left_at
        and at >= 'epoch'::timestamptz + $2::bigint * interval '1 microsecond'
        and (at, id) < (coalesce($4, 'epoch'::timestamptz + $3::bigint * interval '1 microsecond'), $5::uuid)
        and ($7::text is null or action = $7)
      order by at desc, id desc
      limit $8
    ) p
    where $6::uuid is null or m.user_id = $6
  )
) l
left join users u on u.id = l.actor_user_id
order by l.at desc, l.id desc
limit $8
