-- no longer published after this time
update signing_keys set retired_at = $2 where kid = $1 and retired_at is null
