-- Deletes up to $1 rows of the audit log that are older than 400 days.
select sweep_audit_log($1) as removed
