// Floor 4. The role that brings a database up to date and ends.
import type { Config } from '../config.ts'
import { startEmbeddedPostgres } from '../store/embedded.ts'
import { migrate } from '../store/migrate.ts'
import type { Log } from '../watch/log.ts'

export async function runMigrations(config: Config, log: Log): Promise<void> {
  if (config.DATABASE_URL !== undefined) {
    log.info({ applied: await migrate(config.DATABASE_URL) }, 'database is up to date')
    return
  }
  const server = await startEmbeddedPostgres({
    dataDir: config.DATA_DIR,
    onLine: (line) => log.debug({ line }, 'postgres'),
  })
  try {
    log.info({ applied: await migrate(server.url('postgres')) }, 'database is up to date')
  } finally {
    await server.stop()
  }
}
