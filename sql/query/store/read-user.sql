-- Reads the user of this connection: whether it has more privileges than a process needs, and which of the two roles it has.
select
  current_user as name,
  r.rolsuper or r.rolbypassrls as is_super,
  pg_has_role(current_user, (select relowner from pg_class where oid = to_regclass('workspaces')), 'usage') as is_owner,
  coalesce(pg_has_role(current_user, (select oid from pg_roles where rolname = 'tracewright_front'), 'usage'), false) as is_front,
  coalesce(pg_has_role(current_user, (select oid from pg_roles where rolname = 'tracewright_actor'), 'usage'), false) as is_actor
from pg_roles r where r.rolname = current_user
