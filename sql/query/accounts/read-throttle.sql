-- Reads how full the window of a limit is, and when it ends. $1: key
-- index: throttles_pkey
select points, expires_at from throttles where key = $1
