-- Uses up a reset token. No row is deleted where it is no longer valid. $1: digest, $2: now
-- index: password_resets_pkey
delete from password_resets where digest = $1 and expires_at > $2
