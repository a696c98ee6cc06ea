// TimescaleDB features for the tables that grow with traffic, if the extension is installed: chunks by time, and columns for old chunks.
import type { Database } from './database.ts'

export type Chunking = {
  /** Null: the extension is not installed. */
  readonly version: string | null
  /** `apache` has no columnstore. */
  readonly license: string | null
  /** False: the tables are plain. */
  readonly chunked: boolean
}

/** One statement. */
export async function readChunking(db: Database): Promise<Chunking> {
  const found = await db.row<Chunking>('store/read-chunking')
  if (found === null) throw new Error('the statement store/read-chunking returned no row')
  return found
}

/** Sets the length of chunks that are created from now on. No effect on plain tables. Returns whether the setting changed. */
export async function setChunkHours(db: Database, hours: number): Promise<boolean> {
  const result = await db.row<{ changed: number }>('store/set-chunk-hours', [hours])
  return (result?.changed ?? 0) > 0
}

/**
 * Lets TimescaleDB turn events into columns once they are `afterHours` old, which must be more than the maximum age of a late span. Returns
 * false if the license has no columnstore or the tables are plain. Throws Outage if the table was in use for 5 s.
 */
export async function compressEvents(db: Database, afterHours: number): Promise<boolean> {
  return await db.tx(async (tx) => {
    const result = await tx.row<{ compressed: boolean }>('store/compress-events', [afterHours])
    return result?.compressed === true
  })
}
