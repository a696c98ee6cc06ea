-- Finds the org of an invite, since the org is locked before the invite.
-- index: invites_token_digest_key
select org_id from invites where token_digest = $1
