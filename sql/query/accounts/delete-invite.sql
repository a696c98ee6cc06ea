-- an invite is withdrawn
delete from invites where id = $1
