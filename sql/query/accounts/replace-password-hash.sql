-- Replaces the hash of the same password by one with new parameters at login, unless the hash has changed in the meantime.
update users set password_hash = $3 where id = $1 and password_hash = $2
