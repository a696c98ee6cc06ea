-- Stores the same session key, sealed with the current secret. Changes no row where another process was first.
update sessions set sealed_secret = $3 where id = $1 and sealed_secret = $2
