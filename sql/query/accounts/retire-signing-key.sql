-- Sets the time after which a signing key is no longer published.
update signing_keys set retired_at = $2 where kid = $1 and retired_at is null
