// Floor 4. The role that counts rollups anew from events and ends; the service may run meanwhile.
import type { Config } from '../config.ts'
import type { Damage } from '../rollups/damage.ts'
import { workLimits } from '../rollups/open-folding.ts'
import { type RebuildOptions, rebuildAll, rebuildWorkspace } from '../rollups/rebuild.ts'
import { type Database, openDatabase } from '../store/database.ts'
import { startEmbeddedPostgres } from '../store/embedded.ts'
import { loadStatements } from '../store/statements.ts'
import type { Log } from '../watch/log.ts'

/** A signal ends it after the transaction in hand; the service does the rest. */
export async function runRebuild(config: Config, log: Log): Promise<void> {
  const embedded =
    config.DATABASE_URL === undefined
      ? await startEmbeddedPostgres({
          dataDir: config.DATA_DIR,
          onLine: (line) => log.debug({ line }, 'postgres'),
        })
      : null
  const db = open(config.DATABASE_URL ?? embedded?.url('postgres') ?? '', log)
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
  try {
    const minutes = await rebuild(config, db, log, stopping.signal)
    log.info({ minutes, isWhole: !stopping.signal.aborted }, 'rollups are counted anew')
  } finally {
    await db.stop()
    // One that was found running belongs to the service.
    if (embedded?.adopted === false) await embedded.stop()
  }
}

function open(url: string, log: Log): Database {
  return openDatabase({
    url,
    statements: loadStatements(),
    name: 'rebuild',
    maxConnections: 1,
    statementTimeoutMs: 60_000,
    acquireTimeoutMs: 10_000,
    onIdleError: (error) => log.warn({ error }, 'a database connection broke'),
  })
}

async function rebuild(config: Config, db: Database, log: Log, signal: AbortSignal): Promise<number> {
  const onDamage = ({ workspaceId, source, fromMs }: Damage): void =>
    log.error({ workspaceId, source, from: new Date(fromMs).toISOString() }, 'a rollup could not be read')
  const options: RebuildOptions = {
    limits: { ...workLimits, onDamage },
    fromMs: readTime(config.REBUILD_FROM),
    toMs: readTime(config.REBUILD_TO),
    signal,
  }
  if (config.REBUILD_WORKSPACE !== undefined) return await rebuildWorkspace(db, config.REBUILD_WORKSPACE, options)
  return await rebuildAll(db, options, (workspaceId, minutes) => log.info({ workspaceId, minutes }, 'counted anew'))
}

const readTime = (text: string | undefined): number | undefined => (text === undefined ? undefined : Date.parse(text))
