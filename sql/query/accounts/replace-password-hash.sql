-- login: the same password under new parameters, unless the hash has changed meanwhile
update users set password_hash = $3 where id = $1 and password_hash = $2
