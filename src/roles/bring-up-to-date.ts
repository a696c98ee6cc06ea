// Floor 4. Migrations as a process applies them that may: at its own start where it is alone, as a step of its own in a cluster.
import { migrate } from '../store/migrate.ts'
import type { Log } from '../watch/log.ts'

/** One line says what came of it. Throws SchemaFault where this version does not run on the database, and where a migration fails. */
export async function bringUpToDate(url: string, log: Log): Promise<void> {
  const { applied, newer } = await migrate(url, {
    onRival: (holder) => log.warn({ holder }, 'waiting for another process that migrates this database'),
    onBusy: (migration, attempt) => log.warn({ migration, attempt }, 'a table is locked; retrying the migration'),
  })
  if (newer.length > 0)
    log.info(
      { newer },
      'the database schema is newer than this version, and compatible with it: no migration is needed',
    )
  else log.info({ applied }, applied.length > 0 ? 'migrations applied' : 'the database is up to date')
}
