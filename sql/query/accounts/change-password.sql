-- a new password, unless it has changed since it was looked at. $1: user, $2: the hash that was looked at, $3: the new one, $4: now
update users set password_hash = $3, password_changed_at = $4 where id = $1 and password_hash = $2
