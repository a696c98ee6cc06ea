-- a reset token is spent once: no row where it is not good any more. $1: digest, $2: now
-- index: password_resets_pkey
delete from password_resets where digest = $1 and expires_at > $2
