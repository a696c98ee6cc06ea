// The database users of a process: one that owns the tables, only for migrations, and one that owns nothing, for everything else.
import type { Config } from '../config.ts'
import type { Database } from '../store/database.ts'
import { prepareEmbeddedUsers } from '../store/embedded/users.ts'
import { actorRole, frontRole, type Login, prepareLogins } from '../store/logins.ts'
import type { Log } from '../telemetry/log.ts'

export type DatabaseAccess = {
  /** The URL for everything but migrations. */
  readonly url: string
  /** The URL for migrations. Equal to `url` if one user does everything, as in earlier releases. */
  readonly ownerUrl: string
}

/** `superuserUrl` belongs to the embedded PostgreSQL; null if a database is configured. */
export async function readAccess(config: Config, superuserUrl: string | null): Promise<DatabaseAccess> {
  if (superuserUrl !== null) {
    const { owner, service } = await prepareEmbeddedUsers(superuserUrl, config.DATA_DIR)
    return { url: service, ownerUrl: owner }
  }
  const ownerUrl = config.MIGRATE_DATABASE_URL ?? config.DATABASE_URL ?? ''
  return { url: config.DATABASE_URL ?? ownerUrl, ownerUrl }
}

/** Returns the logins to create: for the role `migrate` those of other processes, otherwise that of a process which migrates for itself. */
export function listLogins(config: Config, { url, ownerUrl }: DatabaseAccess): Login[] {
  if (config.ROLES !== 'migrate') return url === ownerUrl ? [] : [{ url, roles: [frontRole, actorRole] }]
  return [
    ...(config.FRONT_DATABASE_URL === undefined ? [] : [{ url: config.FRONT_DATABASE_URL, roles: [frontRole] }]),
    ...(config.ACTOR_DATABASE_URL === undefined ? [] : [{ url: config.ACTOR_DATABASE_URL, roles: [actorRole] }]),
  ]
}

/** Throws if logins are missing and this user may not create them. */
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

/**
 * Warns if a bug or an intruder could do more with this user than the service needs. Throws if the user lacks a role that the process
 * needs.
 */
export async function checkUser(db: Database, roles: Config['ROLES'], log: Log): Promise<void> {
  const user = await db.row<User>('store/read-user')
  if (user === null) throw new Error('the database does not know the user of this connection')
  const { name, is_super: isSuper, is_owner: isOwner, is_front: isFront, is_actor: isActor } = user
  if (!(isSuper || isOwner || isFront || isActor))
    return log.warn(
      { user: name },
      `the database user is not a member of ${frontRole} or ${actorRole}: see "Database users" in deploy/docs/configuration.md`,
    )
  if (isSuper || isOwner)
    return log.warn(
      { user: name, isSuper, isOwner },
      'the database user has more privileges than the service needs: see "Database users" in deploy/docs/configuration.md',
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
