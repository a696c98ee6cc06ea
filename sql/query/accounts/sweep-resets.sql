-- Deletes up to 10,000 expired reset tokens.
delete from password_resets where digest in (select digest from password_resets where expires_at < $1 limit 10000)
