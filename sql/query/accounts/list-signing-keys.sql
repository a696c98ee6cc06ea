-- Lists all signing keys, oldest first.
select kid, public_jwk, sealed_private_key, active_from, retired_at from signing_keys order by active_from, kid
