-- Deletes the earlier reset links that owners of this org made for the user, when a new one replaces them.
-- index: password_resets_by_user
delete from password_resets where user_id = $1 and org_id = $2
