// Floor 4. The role that brings a database up to date, arranges its chunks, and ends.
import type { Config } from '../config.ts'
import type { Log } from '../watch/log.ts'
import { bringUpToDate } from './bring-up-to-date.ts'
import { arrangeChunks } from './chunks.ts'
import { withDatabase } from './with-database.ts'

/** Beside a service that runs, too. Throws SchemaFault, and where a migration fails. */
export async function runMigrations(config: Config, log: Log): Promise<void> {
  await withDatabase(config, log, 'migrate', async (db, url) => {
    await bringUpToDate(url, log)
    await arrangeChunks(db, config, log)
  })
}
