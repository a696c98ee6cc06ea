-- Finds and locks the invite to accept, so that a token is used only once. $2: the forms of the address
-- index: invites_token_digest_key
select i.id, i.org_id, i.role, o.name as org_name
from invites i join orgs o on o.id = i.org_id
where i.token_digest = $1 and i.email = any($2::text[]) and i.accepted_at is null and i.expires_at > $3
for update of i
