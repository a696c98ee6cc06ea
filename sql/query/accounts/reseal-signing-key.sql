-- Stores the same signing key, sealed with the current secret.
update signing_keys set sealed_private_key = $2 where kid = $1
