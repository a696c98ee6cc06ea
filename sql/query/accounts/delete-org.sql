-- nobody is left in an org: its name may be that of a person
update orgs set deleted_at = now(), name = '' where id = $1
