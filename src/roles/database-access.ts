// Which database users a process is: one that owns the tables, for migrations alone, and one that owns nothing, for all else.
import type { Config } from '../config.ts'
import type { Database } from '../store/database.ts'
import { prepareEmbeddedUsers } from '../store/embedded-users.ts'
import { actorRole, frontRole, type Login, prepareLogins } from '../store/logins.ts'
import type { Log } from '../watch/log.ts'

export type DatabaseAccess = {
  /** What the service runs with. */
  readonly url: string
  /** What migrations run with; the same where one user does everything, as in releases before. */
  readonly ownerUrl: string
}

/** `superuserUrl`: of the embedded PostgreSQL; null where a database is given. */
export async function readAccess(config: Config, superuserUrl: string | null): Promise<DatabaseAccess> {
  if (superuserUrl !== null) {
    const { owner, service } = await prepareEmbeddedUsers(superuserUrl, config.DATA_DIR)
    return { url: service, ownerUrl: owner }
  }
  const ownerUrl = config.MIGRATE_DATABASE_URL ?? config.DATABASE_URL ?? ''
  return { url: config.DATABASE_URL ?? ownerUrl, ownerUrl }
}

/** The logins of other processes, which the role `migrate` makes, or that of a process which migrates for itself. */
export function listLogins(config: Config, { url, ownerUrl }: DatabaseAccess): Login[] {
  if (config.ROLES !== 'migrate') return url === ownerUrl ? [] : [{ url, roles: [frontRole, actorRole] }]
  return [
    ...(config.FRONT_DATABASE_URL === undefined ? [] : [{ url: config.FRONT_DATABASE_URL, roles: [frontRole] }]),
    ...(config.ACTOR_DATABASE_URL === undefined ? [] : [{ url: config.ACTOR_DATABASE_URL, roles: [actorRole] }]),
  ]
}

/** Throws where they are not there and this user may not make them. */
export async function makeLogins(ownerUrl: string, logins: readonly Login[], log: Log): Promise<void> {
  const users = await prepareLogins(ownerUrl, logins)
  if (users.length > 0) log.info({ users }, 'created or updated database users')
}

type User = {
  readonly name: string
  readonly is_super: boolean
  readonly is_owner: boolean
  readonly is_front: boolean
  readonly is_actor: boolean
}

/** Warns where a bug or an intruder could do more than the service needs. Throws where the user lacks a role that the process needs. */
export async function checkUser(db: Database, roles: Config['ROLES'], log: Log): Promise<void> {
  const user = await db.row<User>('store/read-user')
  if (user === null) throw new Error('the database does not know the user of this connection')
  const { name, is_super: isSuper, is_owner: isOwner, is_front: isFront, is_actor: isActor } = user
  if (isSuper || isOwner || !(isFront || isActor))
    return log.warn(
      { user: name, isSuper, isOwner },
      'the database user has more rights than the service needs: see "Database users" in deploy/docs/configuration.md',
    )
  const missing = [
    ...(roles === 'actor' || isFront ? [] : [frontRole]),
    ...(roles === 'front' || isActor ? [] : [actorRole]),
  ]
  if (missing.length > 0)
    throw new Error(
      `the database user ${name} is not a member of ${missing.join(' and ')}, which the role ${roles} needs`,
    )
}
