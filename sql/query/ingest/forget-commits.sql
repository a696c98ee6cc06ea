-- Deletes the notes of commits that are older than an hour.
-- index: commits_by_time
delete from commits where at < now() - interval '1 hour'
