// Floor 4. The database for a role that does one thing and ends: the one that is given, else the embedded one.
import type { Config } from '../config.ts'
import { type Database, openDatabase } from '../store/database.ts'
import { startEmbeddedPostgres } from '../store/embedded.ts'
import { loadStatements } from '../store/statements.ts'
import type { Log } from '../watch/log.ts'

/**
 * Ends what it started, whatever comes of it; beside a service that runs, too. `name` tells whose connection it is. Nothing is asked
 * of `db` before `act` does.
 */
export async function withDatabase(
  config: Config,
  log: Log,
  name: string,
  act: (db: Database, url: string) => Promise<void>,
): Promise<void> {
  const embedded =
    config.DATABASE_URL === undefined
      ? await startEmbeddedPostgres({ dataDir: config.DATA_DIR, onLine: (line) => log.debug({ line }, 'postgres') })
      : null
  const url = config.DATABASE_URL ?? embedded?.url('postgres') ?? ''
  const db = openDatabase({
    url,
    statements: loadStatements(),
    name,
    maxConnections: 1,
    statementTimeoutMs: 60_000,
    acquireTimeoutMs: 10_000,
    onIdleError: (error) => log.warn({ error }, 'an idle database connection broke'),
  })
  try {
    await act(db, url)
  } finally {
    await db.stop()
    // One that was found running belongs to the service.
    if (embedded?.adopted === false) await embedded.stop()
  }
}
