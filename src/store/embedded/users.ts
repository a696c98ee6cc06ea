// The users of the embedded PostgreSQL: a superuser that only creates the other two, an owner of the tables, and a service user that owns
// nothing.
import { join } from 'node:path'
import { makeBriefClient } from '../brief-client.ts'
import { readOrMakeSecret } from '../data-folder.ts'
import { endClient } from '../end-client.ts'
import { actorRole, frontRole, prepareLogins } from '../logins.ts'

export type EmbeddedUrls = {
  /** Connects as the owner of the tables, for migrations. */
  readonly owner: string
  /** Connects as the user of the service. It has both roles, since one process does the work of fronts and actors. */
  readonly service: string
}

const owner = 'tracewright_owner'
const service = 'tracewright_service'

// In earlier releases the superuser owned the tables and functions. Objects that belong to a table, such as its sequences, change owner
// with it.
const takeOver = `
  do $$
  declare
    one record;
  begin
    if not exists (select from pg_roles where rolname = '${owner}') then
      create role ${owner};
    end if;
    if not has_schema_privilege('${owner}', 'public', 'create') then
      grant usage, create on schema public to ${owner};
    end if;
    -- What sql/grants.sql takes from everybody, the owner of the tables may not.
    if has_database_privilege('public', current_database(), 'temporary') then
      execute format('revoke temporary on database %I from public', current_database());
    end if;
    for one in
      select 'function' as kind, p.oid::regprocedure::text as name from pg_proc p
      where p.pronamespace = 'pg_catalog'::regnamespace and p.proname in ('lo_creat', 'lo_create', 'lo_from_bytea', 'lo_import')
        and has_function_privilege('public', p.oid, 'execute')
    loop
      execute format('revoke execute on function %s from public', one.name);
    end loop;
    for one in
      select 'table' as kind, oid::regclass::text as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relowner <> '${owner}'::regrole
      union all
      select 'function', oid::regprocedure::text from pg_proc
      where pronamespace = 'public'::regnamespace and proowner <> '${owner}'::regrole
    loop
      execute format('alter %s %s owner to ${owner}', one.kind, one.name);
    end loop;
  end $$`

/**
 * Prepares the users; `superuserUrl` names the database. Repeatable; changes nothing if all is in place. Call it from the process that has
 * claimed the folder, or while that process runs.
 */
export async function prepareEmbeddedUsers(superuserUrl: string, dataDir: string): Promise<EmbeddedUrls> {
  const ownerUrl = new URL(superuserUrl)
  ownerUrl.searchParams.set('options', `-c role=${owner}`)
  const serviceUrl = new URL(superuserUrl)
  serviceUrl.username = service
  serviceUrl.password = readOrMakeSecret(join(dataDir, 'service-password'), 24)
  await prepareLogins(superuserUrl, [{ url: serviceUrl.href, roles: [frontRole, actorRole] }])
  const client = makeBriefClient(superuserUrl, 'tracewright-users')
  await client.connect()
  try {
    await client.query(takeOver)
  } finally {
    await endClient(client)
  }
  return { owner: ownerUrl.href, service: serviceUrl.href }
}
