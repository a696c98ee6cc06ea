-- What processes may do that own nothing and see one workspace at a time. sql/grants.sql gives the rights: it lets each function that says
-- so run with the rights of the owner, and hides rows by the two functions of the scope.

-- The workspaces that the transaction is for; null where it has named none.
create function scope_workspaces() returns uuid[] language sql stable parallel safe as $$
  select string_to_array(nullif(nullif(current_setting('tracewright.scope', true), ''), '*'), ',')::uuid[]
$$;

-- Whether the transaction sees every workspace. '*' asks for that, and a front must not. Without any scope, nobody who runs the service
-- does. The owner of the tables does, for migrations and backups, and so do logins that are in neither role: the release before names no
-- scope. The catalog is named, since a temporary table may stand before it on the search path.
create function scope_is_open() returns boolean language sql stable parallel safe as $$
  with own as (
    select
      exists (
        select from pg_catalog.pg_roles where rolname = 'tracewright_front' and pg_has_role(current_user, oid, 'usage')
      ) as is_front,
      exists (
        select from pg_catalog.pg_roles where rolname = 'tracewright_actor' and pg_has_role(current_user, oid, 'usage')
      ) as is_actor,
      exists (
        select from pg_catalog.pg_class where oid = to_regclass('workspaces') and pg_has_role(current_user, relowner, 'usage')
      ) as is_owner
  )
  select case coalesce(current_setting('tracewright.scope', true), '')
    when '*' then is_owner or is_actor or not is_front
    when '' then is_owner or not (is_actor or is_front)
    else false
  end
  from own
$$;

-- Runs as the owner: whose key this is has to be found before there is a workspace to name.
create function find_key(key_digest bytea)
returns table (key_id uuid, key_workspace_id uuid, key_expires_at timestamptz) language sql stable as $$
  select k.id, k.workspace_id, k.expires_at
  from api_keys k join workspaces w on w.id = k.workspace_id
  where k.digest = key_digest and k.revoked_at is null and (k.expires_at is null or k.expires_at > now()) and w.deleted_at is null
$$;

-- Runs as the owner: whoever names a key by its id alone is told the workspace, where the service looks whether they may see it.
create function find_key_workspace(key_id uuid) returns uuid language sql stable as $$
  select k.workspace_id from api_keys k where k.id = key_id
$$;

-- Runs as the owner: the keys of one workspace, or, where that is null, of all that the user can see.
create function list_keys(reader uuid, workspace uuid, max_rows integer, skipped integer)
returns table (
  key_id uuid, key_workspace_id uuid, key_prefix text, key_name text, key_created_at timestamptz, key_last_used_at timestamptz,
  key_revoked_at timestamptz
) language sql stable as $$
  select k.id, k.workspace_id, k.key_prefix, k.name, k.created_at, k.last_used_at, k.revoked_at
  from memberships m
  join workspaces w on w.org_id = m.org_id and w.deleted_at is null
  join api_keys k on k.workspace_id = w.id
  where m.user_id = reader and (workspace is null or w.id = workspace)
  order by k.created_at desc, k.id desc
  limit max_rows offset skipped
$$;

-- Runs as the owner, as only that may drop chunks. What may still be accepted is never dropped, whatever the caller asks for.
create function drop_old_chunks(chunked_table text, bound timestamptz) returns integer language plpgsql as $$
begin
  if bound is null or bound > now() - interval '1 day' then
    raise exception 'chunks of the last day are not dropped' using errcode = 'invalid_parameter_value';
  end if;
  if chunked_table is null or chunked_table not in (select list_chunked_tables()) then
    raise exception 'only chunks of the tables of events are dropped' using errcode = 'invalid_parameter_value';
  end if;
  return drop_chunks_before(chunked_table, bound);
end $$;

-- Runs as the owner, so that an actor needs no right to delete from tables that it otherwise only reads or appends to.
create function purge_workspace(workspace uuid, max_rows bigint) returns bigint language plpgsql as $$
begin
  if workspace is null or max_rows is null or max_rows not between 1 and 1000000 then
    raise exception 'a purge takes a workspace, and 1 to 1000000 rows' using errcode = 'invalid_parameter_value';
  end if;
  -- It refuses workspaces that are not deleted.
  return purge_workspace_rows(workspace, max_rows);
end $$;
