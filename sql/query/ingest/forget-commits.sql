-- index: commits_by_time
delete from commits where at < now() - interval '1 hour'
