-- Finds the user of a valid reset token. $1: digest, $2: now
-- index: password_resets_pkey
select r.user_id, r.made_by, r.org_id, u.email, u.name
from password_resets r join users u on u.id = r.user_id
where r.digest = $1 and r.expires_at > $2
