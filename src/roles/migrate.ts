// Applies migrations: at the start of a process without a cluster, or as the role `migrate` in a cluster.
import type { Config } from '../config.ts'
import { migrate } from '../store/migrate.ts'
import type { Log } from '../telemetry/log.ts'
import { arrangeChunks } from './chunks.ts'
import { type DatabaseAccess, listLogins, makeLogins } from './database-access.ts'
import { withConnection, withDatabase } from './with-database.ts'

/**
 * A service may be running. Throws SchemaFault. Throws if a migration fails, or if logins of other processes are configured and this user
 * may not create them or grant them their privileges.
 */
export async function runMigrations(config: Config, log: Log): Promise<void> {
  await withDatabase(config, log, async (access) => {
    const logins = listLogins(config, access)
    await makeLogins(access.ownerUrl, logins, log)
    await bringUpToDate(access, log, logins.length > 0)
    await withConnection(access.ownerUrl, 'migrate', log, async (db) => await arrangeChunks(db, config, log))
  })
}

/**
 * Logs the result in one line. Throws SchemaFault if this version does not run on the database. Throws if a migration fails, and, with
 * `needsGrants`, if the privileges of users that own nothing cannot be granted. A user that owns the tables works without the grants.
 */
export async function bringUpToDate(
  { url, ownerUrl }: DatabaseAccess,
  log: Log,
  needsGrants = url !== ownerUrl,
): Promise<void> {
  const { applied, newer, grantFault } = await migrate(ownerUrl, {
    onRival: (holder) => log.warn({ holder }, 'waiting for another process that migrates this database'),
    onBusy: (migration, attempt) => log.warn({ migration, attempt }, 'a table is locked; retrying the migration'),
  })
  if (newer.length > 0)
    log.info(
      { newer },
      'the database schema is newer than this version, and compatible with it: no migration is needed',
    )
  else log.info({ applied }, applied.length > 0 ? 'migrations applied' : 'the database is up to date')
  if (grantFault === null) return
  if (needsGrants) throw new Error(`the grants of sql/grants.sql were not applied: ${grantFault}`)
  log.warn({ reason: grantFault }, 'the grants of sql/grants.sql were not applied')
}
