-- a user who is being deleted: nothing that refers to them is added any more
select id from users where id = $1 for update
