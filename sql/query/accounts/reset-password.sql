-- Sets a new password after a reset. $1: user, $2: the new hash, $3: now
update users set password_hash = $2, password_changed_at = $3 where id = $1
