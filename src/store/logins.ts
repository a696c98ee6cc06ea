// The database users that processes connect as: creates them and grants them the roles of sql/grants.sql, as a user that may create roles.
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import pg from 'pg'
import { advisoryLocks } from './advisory-locks.ts'
import { answerInTime, connectBriefly, makeBriefClient } from './brief-client.ts'
import { dropCertificate } from './connection-url.ts'
import { endClient } from './end-client.ts'
import { isLoginRefused, readSqlstate, sqlstate } from './sqlstate.ts'

export const frontRole = 'tracewright_front'
export const actorRole = 'tracewright_actor'

export type Login = {
  /** The URL that a process connects with, including the user and the password. */
  readonly url: string
  /** For each role: the user is the role itself, or becomes a member of it. */
  readonly roles: readonly string[]
}

const scramIterations = 4_096

type Facts = {
  /** The user exists. */
  readonly is_there: boolean
  readonly may_log_in: boolean
  /** Why the user cannot be a login of the service: what it is or may do. Null if it can be one. */
  readonly power: string | null
  /** `absent`: roles that the server lacks. `lacking`: roles that the user is not a member of. */
  readonly absent: readonly string[]
  readonly lacking: readonly string[]
}

/**
 * Creates the missing roles and logins, and sets the password of a login of the service whose URL cannot log in. All or nothing; several
 * processes may call it at once. An existing user is changed only if it is a login of the service already: a mistyped URL must not set the
 * password of another user. A URL with a client certificate cannot be tried here: a login of the service stays as it is. Throws if an existing
 * user is no such login, or if the user of `adminUrl` lacks the privileges; the message names the statements that an administrator has to run.
 * Returns the names of the users that were created or changed.
 */
export async function prepareLogins(adminUrl: string, logins: readonly Login[]): Promise<string[]> {
  if (logins.length === 0) return []
  const client = makeClient(adminUrl)
  try {
    await connectBriefly(client)
    await answerInTime(client.query('begin'))
    // One process at a time: if two change the same role at once, one fails.
    await answerInTime(client.query('select pg_advisory_xact_lock($1)', [advisoryLocks.logins.key]))
    const changes: Change[] = []
    for (const login of logins) changes.push(await findChange(client, login))
    await apply(client, changes)
    await answerInTime(client.query('commit'))
    return changes.filter(({ statements }) => statements.length > 0).map(({ user }) => user)
  } finally {
    // Closing the connection rolls back what was not committed.
    void endClient(client)
  }
}

type Change = {
  readonly user: string
  readonly statements: readonly string[]
  /** The same statements without the password, for an administrator to read. */
  readonly shown: readonly string[]
}

/** Determines what to change, and changes nothing. Throws if the user may not be changed. */
async function findChange(client: pg.Client, login: Login): Promise<Change> {
  const url = dropCertificate(login.url)
  const { user, password } = makeClient(url)
  if (user === undefined) throw new Error('the URL of a database login must name a user')
  if ((user === frontRole || user === actorRole) && login.roles.some((role) => role !== user))
    throw new Error(
      `the database user ${user} must not get the privileges of ${login.roles.join(' and ')}: name another user in its URL`,
    )
  const { rows } = await answerInTime(client.query<Facts>(readFacts, [user, login.roles]))
  const { is_there: isThere, may_log_in: mayLogIn, power, absent, lacking } = rows[0] as Facts
  // The server logs each failed login as an error, so a login that cannot succeed is not tried. One by a client certificate cannot be tried.
  const hasCertificate = url !== login.url
  const isOpen = isThere && (hasCertificate ? mayLogIn && lacking.length === 0 : await opens(url))
  // The login works, or cannot be tried. If the user has too many powers, the process that connects as it logs a warning.
  if (isOpen && (power !== null || lacking.length === 0)) return { user, statements: [], shown: [] }
  const name = pg.escapeIdentifier(user)
  const roles = lacking.map((role) => pg.escapeIdentifier(role)).join(', ')
  const made = absent.filter((role) => role !== user).map((role) => `create role ${pg.escapeIdentifier(role)};`)
  const granted = lacking.length === 0 ? [] : [`grant ${roles} to ${name};`]
  if (power !== null)
    throw new Error(
      `the database user ${user} cannot be a login of the service, and its password was not changed: it ${power}. Check the user and the password in its URL`,
    )
  if (isThere && lacking.length > 0)
    throw new Error(
      `the database user ${user} exists and is not a login of the service, so nothing was changed: check the user in its URL. To make it a login of the service, an administrator must run \`${[...made, ...granted].join(' ')}\` once`,
    )
  const secret = typeof password === 'string' ? ` password ${pg.escapeLiteral(hashPassword(password))}` : ''
  const verb = isThere || login.roles.includes(user) ? 'alter' : 'create'
  return {
    user,
    statements: [
      ...absent.map(createRole),
      ...(isThere ? [] : [createRole(user)]),
      `alter role ${name} login${secret}`,
      ...granted,
    ],
    shown: [
      ...(absent.includes(user) ? [`create role ${name};`] : []),
      ...made,
      `${verb} role ${name} login password '…';`,
      ...granted,
    ],
  }
}

async function apply(client: pg.Client, changes: readonly Change[]): Promise<void> {
  try {
    for (const { statements } of changes)
      for (const statement of statements) await answerInTime(client.query(statement))
  } catch (error) {
    if (readSqlstate(error) !== sqlstate.insufficientPrivilege) throw error
    const due = changes.filter(({ statements }) => statements.length > 0)
    const shown = new Set(due.flatMap((change) => change.shown))
    throw new Error(
      `the user of the migration is not allowed to prepare the database login ${due.map(({ user }) => user).join(' and ')}, and nothing was changed: an administrator must run \`${[...shown].join(' ')}\` once`,
      { cause: error },
    )
  }
}

async function opens(url: string): Promise<boolean> {
  const client = makeClient(url)
  try {
    await connectBriefly(client)
    return true
  } catch (error) {
    if (isLoginRefused(error)) return false
    throw error
  } finally {
    void endClient(client)
  }
}

/**
 * Returns a statement that creates the role if it does not exist. It succeeds even if another session creates the role at the same time,
 * for example for another database of the server.
 */
function createRole(role: string): string {
  const block = `begin
    if not exists (select from pg_catalog.pg_roles where rolname = ${pg.escapeLiteral(role)}) then
      create role ${pg.escapeIdentifier(role)};
    end if;
  exception when duplicate_object or unique_violation then
    null;
  end`
  return `do ${pg.escapeLiteral(block)}`
}

// A member has the powers of its roles.
const readFacts = `
  with wanted as (
    select r.oid, w.name from unnest($2::text[]) as w (name) left join pg_roles r on r.rolname = w.name
  ), powers as (
    select case
        when p.rolname in (current_user, session_user) then 'is the user that migrates, or a member of it'
        when p.rolsuper then 'is a superuser'
        when exists (select from pg_database where datname = current_database() and datdba = p.oid)
          or exists (select from pg_namespace where nspname = current_schema() and nspowner = p.oid)
          or exists (select from pg_class where relowner = p.oid and relpersistence <> 't')
          then 'owns the database, its schema or tables in it'
        when p.rolcreaterole then 'may create roles'
        when p.rolcreatedb then 'may create databases'
        when p.rolreplication then 'may replicate'
        when p.rolbypassrls then 'may bypass row-level security'
      end as power
    from pg_roles u join pg_roles p on pg_has_role(u.oid, p.oid, 'member')
    where u.rolname = $1
  )
  select exists (select from pg_roles where rolname = $1) as is_there,
    exists (select from pg_roles where rolname = $1 and rolcanlogin) as may_log_in,
    (select min(power) from powers) as power,
    array(select name from wanted where oid is null) as absent,
    array(
      select name from wanted
      where name <> $1
        and not exists (select from pg_roles u where u.rolname = $1 and pg_has_role(u.oid, wanted.oid, 'member'))
    ) as lacking`

const makeClient = (url: string): pg.Client => makeBriefClient(url, 'tracewright-logins')

/** The password as PostgreSQL stores it (RFC 5803), so that the clear text appears in no statement that the server may log. */
function hashPassword(password: string): string {
  const salt = randomBytes(16)
  const salted = pbkdf2Sync(password.normalize('NFKC'), salt, scramIterations, 32, 'sha256')
  const keyOf = (purpose: string): Buffer => createHmac('sha256', salted).update(purpose).digest()
  const stored = createHash('sha256').update(keyOf('Client Key')).digest('base64')
  return `SCRAM-SHA-256$${scramIterations}:${salt.toString('base64')}$${stored}:${keyOf('Server Key').toString('base64')}`
}
