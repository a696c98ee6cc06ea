-- Inserts a signing key. It is published from now on and signs from active_from on.
insert into signing_keys (kid, public_jwk, sealed_private_key, active_from) values ($1, $2, $3, $4)
