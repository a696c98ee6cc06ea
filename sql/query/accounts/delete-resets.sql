-- Deletes the reset tokens of a user after a change of the password.
-- index: password_resets_by_user
delete from password_resets where user_id = $1
