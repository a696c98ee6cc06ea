-- Deletes a signing key once no token that it signed is still valid.
delete from signing_keys where kid = $1
