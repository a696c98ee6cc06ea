-- Describes an open invite to the holder of its token ($1: the digest), without the address that it is for.
-- index: invites_token_digest_key
select o.name as org_name, i.role, coalesce(u.name, u.email) as invited_by, i.expires_at
from invites i join orgs o on o.id = i.org_id join users u on u.id = i.invited_by
where i.token_digest = $1 and i.accepted_at is null and i.expires_at > $2 and o.deleted_at is null
