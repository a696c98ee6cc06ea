-- the password was changed: older reset tokens are void
-- index: password_resets_by_user
delete from password_resets where user_id = $1
