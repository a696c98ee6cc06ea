-- the same key, sealed with the secret of now
update signing_keys set sealed_private_key = $2 where kid = $1
