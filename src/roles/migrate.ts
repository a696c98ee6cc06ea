// Floor 4. The role that brings a database up to date, arranges its chunks, and ends.
import type { Config } from '../config.ts'
import { openDatabase } from '../store/database.ts'
import { startEmbeddedPostgres } from '../store/embedded.ts'
import { loadStatements } from '../store/statements.ts'
import type { Log } from '../watch/log.ts'
import { bringUpToDate } from './bring-up-to-date.ts'
import { arrangeChunks } from './chunks.ts'

/** Beside a service that runs, too. Throws SchemaFault, and where a migration fails. */
export async function runMigrations(config: Config, log: Log): Promise<void> {
  if (config.DATABASE_URL !== undefined) return await arrange(config.DATABASE_URL, config, log)
  const server = await startEmbeddedPostgres({
    dataDir: config.DATA_DIR,
    onLine: (line) => log.debug({ line }, 'postgres'),
  })
  try {
    await arrange(server.url('postgres'), config, log)
  } finally {
    // One that was found running belongs to the service.
    if (!server.adopted) await server.stop()
  }
}

async function arrange(url: string, config: Config, log: Log): Promise<void> {
  await bringUpToDate(url, log)
  const db = openDatabase({
    url,
    statements: loadStatements(),
    name: 'migrate',
    maxConnections: 1,
    statementTimeoutMs: 60_000,
    acquireTimeoutMs: 10_000,
    onIdleError: (error) => log.warn({ error }, 'a database connection broke'),
  })
  try {
    await arrangeChunks(db, config, log)
  } finally {
    await db.stop()
  }
}
