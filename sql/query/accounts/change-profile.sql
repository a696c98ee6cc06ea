-- Changes the name or the time zone of a user. $2, $4: whether to change it
update users
set name = case when $2::boolean then $3::text else name end, time_zone = case when $4::boolean then $5::text else time_zone end
where id = $1
returning id, email, name, time_zone, created_at
