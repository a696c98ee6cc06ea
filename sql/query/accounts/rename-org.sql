-- Renames an org.
update orgs set name = $2 where id = $1
