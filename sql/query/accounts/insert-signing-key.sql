-- published from now on, signs from active_from
insert into signing_keys (kid, public_jwk, sealed_private_key, active_from) values ($1, $2, $3, $4)
