-- The privileges on the tables and functions of the service. The migrate step and deploy/restore.sh run this file as the owner of the tables.
-- It can be run again at any time, in one transaction, and changes only the privileges that differ from it.
--
-- Two roles, which own nothing: tracewright_front answers requests, tracewright_actor does the background work. Processes connect as one of
-- them, or as a login that is a member of one (of both, where one process does both).
--
-- A release that no longer needs a right keeps it here, since the previous release runs beside it. The next release removes it.

-- Roles belong to the whole server. If the current user may not create them, an administrator has to.
do $$
declare
  missing text;
begin
  for missing in
    select name from unnest(array['tracewright_front', 'tracewright_actor']) as name
    where not exists (select from pg_roles where rolname = name)
  loop
    begin
      execute format('create role %I nologin', missing);
    exception
      -- Created in the meantime, for another database of this server.
      when duplicate_object or unique_violation then
        null;
    end;
  end loop;
exception when insufficient_privilege then
  raise exception 'the user % may not create roles: an administrator must run `create role tracewright_front nologin; create role tracewright_actor nologin;` once (those that exist already can be left out)', current_user
    using errcode = 'insufficient_privilege';
end $$;

-- Tables. `scoped`: a transaction sees only the rows of the workspaces that it has named.
do $$
declare
  tab record;
  one record;
begin
  for tab in
    select c.oid::regclass as name, c.relrowsecurity and c.relforcerowsecurity as is_hidden, access.*
    from (values
      -- table                  privileges of a front                 privileges of an actor             scoped
      ('agents',               'select, insert, update, delete',     'select, insert, update, delete',  false),
      ('api_keys',             'select, insert, update',             '',                                true),
      ('audit_log',            'select',                             '',                                false),
      ('cluster_meta',         'select',                             'select',                          false),
      ('commits',              'select, insert',                     'select, delete',                  false),
      ('decision_transitions', 'select, insert',                     'select, insert',                  true),
      ('decision_trials',      'select',                             'select, insert, update, delete',  true),
      ('decisions',            'select, insert, update',             'select, insert, update',          true),
      ('dropped_spans',        'select, insert',                     'select, delete',                  false),
      ('events',               'select, insert',                     'select, update, delete',          false),
      ('findings',             'select, update',                     'select, insert, update, delete',  true),
      ('invalidations',        'select, insert, update, delete',     'select, delete',                  true),
      ('invites',              'select, insert, update, delete',     '',                                false),
      ('key_events',           'select',                             '',                                false),
      ('ladders',              'select',                             'select, insert, update',          true),
      ('memberships',          'select, insert, update, delete',     '',                                false),
      ('optimizer_progress',   '',                                   'select, insert, update',          true),
      ('orgs',                 'select, insert, update',             '',                                false),
      ('partitions',           'select',                             'select, update',                  false),
      ('password_resets',      'select, insert, delete',             '',                                false),
      ('past_memberships',     'select',                             '',                                false),
      ('payload_blocks',       'select, insert',                     'select, delete',                  false),
      ('rollup_damage',        '',                                   'select, insert, delete',          false),
      ('rollup_deltas',        'select, insert',                     'select, insert, delete',          false),
      ('rollup_work',          '',                                   'select, insert, update, delete',  false),
      ('rollups',              'select',                             'select, insert, update, delete',  false),
      ('schema_migrations',    'select',                             'select',                          false),
      ('scope_counts',         'select',                             'select, insert, update, delete',  false),
      ('scope_deltas',         'select, insert',                     'select, insert, delete',          false),
      ('sessions',             'select, insert, update, delete',     '',                                false),
      ('signing_keys',         'select, insert, update, delete',     '',                                false),
      ('task_types',           'select, insert',                     'select, insert',                  true),
      ('throttles',            'select, insert, update, delete',     '',                                false),
      ('tool_results',         'select, insert',                     'select, delete',                  false),
      ('traces',               'select, insert, update',             'select, update, delete',          false),
      ('unread_evidence',      'select',                             'select, insert, update',          true),
      ('usage_days',           'select, insert, update',             'select, delete',                  false),
      ('usage_months',         'select, insert, update',             'select, delete',                  false),
      ('usage_rejections',     'select, insert, update',             'select, delete',                  false),
      ('users',                'select, insert, update, delete',     '',                                false),
      ('workspace_prices',     'select, insert, update, delete',     'select',                          true),
      ('workspaces',           'select, insert',                     'select, update',                  false)
    ) as access (table_name, front, actor, scoped)
    join pg_class c on c.oid = to_regclass(table_name)
  loop
    -- Rights on a table of events also apply to its chunks, existing and future ones.
    for one in
      with wanted as (
        select 'tracewright_front'::regrole::oid as grantee, upper(nullif(trim(word), '')) as privilege
        from string_to_table(tab.front, ',') as word
        union
        select 'tracewright_actor'::regrole::oid, upper(nullif(trim(word), '')) from string_to_table(tab.actor, ',') as word
      ), present as (
        select a.grantee, a.privilege_type as privilege
        from pg_class c cross join aclexplode(c.relacl) a
        where c.oid = tab.name and a.grantee in (0, 'tracewright_front'::regrole, 'tracewright_actor'::regrole)
      )
      (select 'grant %s on %s to %s' as change, wanted.* from wanted where privilege is not null except select 'grant %s on %s to %s', present.* from present)
      union all
      (select 'revoke %s on %s from %s', present.* from present except select 'revoke %s on %s from %s', wanted.* from wanted)
    loop
      execute format(one.change, one.privilege, tab.name, case one.grantee when 0 then 'public' else one.grantee::regrole::text end);
    end loop;
    continue when not tab.scoped;
    if not exists (select from pg_policy where polrelid = tab.name and polname = 'scope') then
      -- As subqueries, the functions are called once for each statement, not once for each row.
      execute format(
        'create policy scope on %s using (workspace_id = any ((select scope_workspaces())::uuid[]) or (select scope_is_open()))', tab.name);
    end if;
    if not tab.is_hidden then
      execute format('alter table %s enable row level security, force row level security', tab.name);
    end if;
  end loop;
end $$;

-- Columns, for a front that may write only these of a table. It writes no times of the audit log, and moves no workspace to another org or
-- plan. To revoke a privilege on a table revokes it on the columns as well, so this follows the tables.
do $$
declare
  one record;
begin
  for one in
    with wanted as (
      select c.oid::regclass as name, 'tracewright_front'::regrole::oid as grantee, upper(access.privilege) as privilege, a.attname as column_name
      from (values
        -- table       privilege  columns
        ('audit_log',  'insert',  'id, org_id, audited_workspace_id, actor_user_id, action, target, request_id, ip_prefix, detail'),
        ('workspaces', 'update',  'name, content_mode, freshness_s, approves_decisions, holdout_rate, floor, alpha, retention_days, call_scopes, rules_version, rules_changed_at, redaction_secret, deleted_at')
      ) as access (table_name, privilege, columns)
      join pg_class c on c.oid = to_regclass(table_name)
      join pg_attribute a on a.attrelid = c.oid and a.attname = any (string_to_array(access.columns, ', '))
    ), present as (
      select a.attrelid::regclass as name, acl.grantee, acl.privilege_type as privilege, a.attname as column_name
      from pg_class c join pg_attribute a on a.attrelid = c.oid cross join aclexplode(a.attacl) acl
      where c.relnamespace = current_schema()::regnamespace
        and acl.grantee in (0, 'tracewright_front'::regrole, 'tracewright_actor'::regrole)
    )
    (select 'grant %s (%I) on %s to %s' as change, wanted.* from wanted except select 'grant %s (%I) on %s to %s', present.* from present)
    union all
    (select 'revoke %s (%I) on %s from %s', present.* from present except select 'revoke %s (%I) on %s from %s', wanted.* from wanted)
  loop
    execute format(one.change, one.privilege, one.column_name, one.name, case one.grantee when 0 then 'public' else one.grantee::regrole::text end);
  end loop;
end $$;

-- Functions. All of them search the schema of the tables and that of TimescaleDB, whatever the caller's search path. `definer`: the
-- function runs with the privileges of the owner, so it checks its arguments.
-- `everybody`: the functions of the row policies, which all readers of a table call.
do $$
declare
  fn record;
  path text := (
    select string_agg(quote_ident(name), ', ' order by at) || ', pg_temp'
    from (
      select current_schema() as name, 1 as at
      union all
      select n.nspname, 2 from pg_extension e join pg_namespace n on n.oid = e.extnamespace
      where e.extname = 'timescaledb' and n.nspname <> current_schema()
    ) schemas
  );
  callers text;
begin
  for fn in
    select p.oid::regprocedure as name, p.prosecdef, p.proconfig, p.proacl, p.proowner, access.*
    from (values
      -- function                                   front  actor  everybody  definer
      ('chunk_tables()',                            false, false, false,     false),
      ('compress_events_after(interval)',           false, false, false,     false),
      ('drop_chunks_before(text,timestamptz)',      false, false, false,     false),
      ('drop_old_chunks(text,timestamptz)',         false, true,  false,     true),
      ('find_key(bytea)',                           true,  false, false,     true),
      ('find_key_workspace(uuid)',                  true,  false, false,     true),
      ('forget_sets()',                             false, false, false,     false),
      ('keep_past_membership()',                    false, false, false,     true),
      ('list_chunked_tables()',                     true,  true,  false,     false),
      ('list_chunks_before(timestamptz)',           false, true,  false,     false),
      ('list_keys(uuid,uuid,integer,integer)',      true,  false, false,     true),
      ('mark_rules()',                              false, false, false,     false),
      ('purge_workspace(uuid,bigint)',              false, true,  false,     true),
      ('purge_workspace_rows(uuid,bigint)',         false, false, false,     false),
      ('refuse_change()',                           false, false, false,     false),
      ('scope_is_open()',                           true,  true,  true,      false),
      ('scope_workspaces()',                        true,  true,  true,      false),
      ('set_chunk_hours(integer)',                  false, false, false,     false),
      ('sweep_audit_log(bigint)',                   false, true,  false,     true),
      ('sweep_ended_records(bigint)',               false, true,  false,     true),
      ('tell_revoked_keys()',                       false, false, false,     true)
    ) as access (signature, front, actor, everybody, definer)
    join pg_proc p on p.oid = to_regprocedure(signature)
  loop
    if fn.prosecdef <> fn.definer then
      execute format('alter function %s security %s', fn.name, case when fn.definer then 'definer' else 'invoker' end);
    end if;
    if fn.proconfig is distinct from array['search_path=' || path] then
      execute format('alter function %s set search_path = %s', fn.name, path);
    end if;
    -- Logins that are older than these roles have direct privileges on the tables. They keep the right to call the functions.
    select string_agg(grantee, ', ') into callers
    from (
      select 'tracewright_front' as grantee where fn.front
      union select 'tracewright_actor' where fn.actor
      union select 'public' where fn.everybody
      union select quote_ident(r.rolname)
      from pg_class c cross join aclexplode(c.relacl) a join pg_roles r on r.oid = a.grantee
      where c.oid = to_regclass('api_keys') and a.privilege_type = 'DELETE' and a.grantee <> c.relowner
    ) grantees;
    if fn.proacl is null or not fn.everybody and exists (select from aclexplode(fn.proacl) where grantee = 0) then
      execute format('revoke execute on function %s from public', fn.name);
    end if;
    if callers is not null and exists (
      select from string_to_table(callers, ', ') as wanted
      where not exists (
        select from pg_proc p cross join aclexplode(p.proacl) a
        where p.oid = fn.name and case a.grantee when 0 then 'public' else a.grantee::regrole::text end = wanted
      )
    ) then
      execute format('grant execute on function %s to %s', fn.name, callers);
    end if;
  end loop;
end $$;

-- Only the owner may create objects in the schema.
do $$
declare
  role text;
begin
  if exists (
    select from pg_namespace n cross join aclexplode(n.nspacl) a
    where n.nspname = current_schema() and a.grantee = 0 and a.privilege_type = 'CREATE'
  ) then
    execute format('revoke create on schema %I from public', current_schema());
  end if;
  foreach role in array array['tracewright_front', 'tracewright_actor'] loop
    if not has_schema_privilege(role, current_schema(), 'usage') then
      execute format('grant usage on schema %I to %I', current_schema(), role);
    end if;
  end loop;
end $$;

-- Only the owner may create temporary tables and functions in the database, and no other user may create large objects, which the service
-- does not use. The first change needs the owner of the database, the second a superuser. A user who is neither changes nothing.
do $$
declare
  fn regprocedure;
begin
  if exists (
    select from pg_database d cross join aclexplode(coalesce(d.datacl, acldefault('d', d.datdba))) a
    where d.datname = current_database() and a.grantee = 0 and a.privilege_type = 'TEMPORARY'
  ) then
    if (select pg_has_role(datdba, 'usage') from pg_database where datname = current_database()) then
      execute format('revoke temporary on database %I from public', current_database());
    else
      raise notice 'every user may make temporary tables in the database: its owner can revoke that';
    end if;
  end if;
  for fn in
    select p.oid::regprocedure
    from pg_proc p cross join aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
    where p.pronamespace = 'pg_catalog'::regnamespace and p.proname in ('lo_creat', 'lo_create', 'lo_from_bytea', 'lo_import')
      and a.grantee = 0 and a.privilege_type = 'EXECUTE' and pg_has_role(p.proowner, 'usage')
  loop
    execute format('revoke execute on function %s from public', fn);
  end loop;
end $$;
