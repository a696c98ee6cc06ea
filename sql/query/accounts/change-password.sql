-- Sets a new password, unless the password has changed since its hash was read.
-- $1: user, $2: the hash that was read, $3: the new hash, $4: now
update users set password_hash = $3, password_changed_at = $4 where id = $1 and password_hash = $2
