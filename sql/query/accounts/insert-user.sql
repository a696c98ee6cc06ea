-- Inserts a user at signup. No row where the address is taken.
insert into users (id, email, name, password_hash)
values ($1, $2, $3, $4)
on conflict (email) do nothing
returning id, email, name, time_zone, created_at
