-- Counts the users by the parameters of their password hashes, such as m=65536,t=3,p=1. Cost: a pass over all users.
select split_part(password_hash, '$', 4) as parameters, count(*)::integer as users from users group by 1 order by 1
