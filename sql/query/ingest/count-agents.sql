select count(*) as agents from agents where workspace_id = $1
