-- Deletes all invites to an address, accepted or not. $1: the forms of the address
-- index: invites_by_email
delete from invites where email = any($1::text[])
