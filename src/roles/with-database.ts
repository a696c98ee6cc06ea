// The database for a role that performs one task and exits: the configured one, else the embedded one.
import type { Config } from '../config.ts'
import { isFolderClaimed } from '../store/claim-folder.ts'
import type { Database } from '../store/database.ts'
import { startEmbeddedPostgres } from '../store/embedded/server.ts'
import { openDatabase } from '../store/open-database.ts'
import { loadStatements } from '../store/statements.ts'
import type { Log } from '../telemetry/log.ts'
import { type DatabaseAccess, readAccess } from './database-access.ts'

/** Stops a server that it has started, even if `act` fails. A service may be running meanwhile. */
export async function withDatabase(
  config: Config,
  log: Log,
  act: (access: DatabaseAccess) => Promise<void>,
): Promise<void> {
  const isGiven = (config.DATABASE_URL ?? config.MIGRATE_DATABASE_URL) !== undefined
  const embedded = isGiven
    ? null
    : await startEmbeddedPostgres({
        dataDir: config.DATA_DIR,
        endsOnExit: true,
        onLine: (line) => log.debug({ line }, 'PostgreSQL wrote a log line'),
      })
  try {
    await act(await readAccess(config, embedded?.url('postgres') ?? null))
  } finally {
    // A server that was found running belongs to a service, as does one that a service has taken over meanwhile.
    if (embedded?.adopted === false && !isFolderClaimed(config.DATA_DIR)) await embedded.stop()
  }
}

/**
 * Opens a pool of one connection and closes it even if `act` fails. `name` identifies it in pg_stat_activity. Sends nothing before `act`
 * does.
 */
export async function withConnection(
  url: string,
  name: string,
  log: Log,
  act: (db: Database) => Promise<void>,
): Promise<void> {
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
    await act(db)
  } finally {
    await db.stop()
  }
}
