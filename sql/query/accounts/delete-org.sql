-- Marks an org without members as deleted and erases its name, which may be that of a person.
update orgs set deleted_at = now(), name = '' where id = $1
