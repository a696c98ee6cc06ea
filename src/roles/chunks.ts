// Configures the chunks of events, and logs how the tables are stored.
import type { Config } from '../config.ts'
import { compressEvents, readChunking, setChunkHours } from '../store/chunks.ts'
import type { Database } from '../store/database.ts'
import type { Log } from '../telemetry/log.ts'

const marginH = 24

/**
 * Applies the configured chunk settings if the tables are in chunks, as the owner of the tables, and logs one line about them. Throws
 * Outage.
 */
export async function arrangeChunks(db: Database, config: Config, log: Log): Promise<void> {
  if (!(await logChunks(db, log))) return
  await setChunkHours(db, config.CHUNK_INTERVAL_H)
  // A late span must not fall into a chunk that is stored in columns.
  const compressed = await compressEvents(db, Math.ceil(config.INGEST_MAX_AGE_S / 3_600) + marginH).catch(
    (error: unknown) => {
      log.warn({ error }, 'could not set up the columnstore; will retry at the next start')
      return false
    },
  )
  log.info({ chunkHours: config.CHUNK_INTERVAL_H, compressed }, 'configured the chunks')
}

/** Logs one line about how the tables are stored. Returns whether they are in chunks. Throws Outage. */
export async function logChunks(db: Database, log: Log): Promise<boolean> {
  const { version, license, chunked } = await readChunking(db)
  if (version === null) log.info('TimescaleDB is not installed: events are stored in plain tables')
  else if (chunked) log.info({ version, license }, 'TimescaleDB stores events in chunks')
  else
    log.warn(
      { version },
      'TimescaleDB was installed after the tables were created: run `select chunk_tables()` when traffic is low, because it locks them',
    )
  return chunked
}
