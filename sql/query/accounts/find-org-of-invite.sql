-- which org an invite is of: the org is locked before the invite
-- index: invites_token_digest_key
select org_id from invites where token_digest = $1
