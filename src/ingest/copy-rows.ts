// Floor 3. Sends the rows of a group to the staging table by binary COPY.
import { once } from 'node:events'
import type { PoolClient } from 'pg'
import { type CopyStreamQuery, from as copyFrom } from 'pg-copy-streams'
import { batchNoOffset, stageColumnNames } from '../otlp/row.ts'
import { guard } from '../store/database.ts'
import type { Batch } from './batch.ts'

const copyStatement = `copy stage (${stageColumnNames.join(', ')}) from stdin (format binary)`
// Signature, flags and header extension, as the manual's "Binary Format" gives them; −1 ends the file.
const header = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1')
const trailer = Buffer.from([0xff, 0xff])

/** Numbers the rows of each batch by its place in the group and copies those whose workspace is alive. One round trip. */
export async function copyRows(client: PoolClient, group: readonly Batch[], live: readonly boolean[]): Promise<void> {
  await guard(async () => {
    const stream = client.query(copyFrom(copyStatement))
    const finished = once(stream, 'finish')
    // Every failure is told by `finished`; a second one, of a connection that is broken already, says nothing new.
    finished.catch(() => undefined)
    stream.on('error', () => undefined)
    try {
      await writeRows(stream, group, live, finished)
    } catch (error) {
      // The server must not go on waiting for rows: this ends the COPY, and with it the transaction.
      stream.destroy(error as Error)
      throw error
    }
    await finished
  })
}

async function writeRows(
  stream: CopyStreamQuery,
  group: readonly Batch[],
  live: readonly boolean[],
  finished: Promise<unknown>,
): Promise<void> {
  stream.write(header)
  for (const [at, batch] of group.entries()) {
    if (live[at] !== true) continue
    numberRows(batch, at)
    if (!stream.write(Buffer.from(batch.rows.buffer, batch.rows.byteOffset, batch.rows.byteLength))) {
      await Promise.race([once(stream, 'drain'), finished])
    }
  }
  stream.end(trailer)
}

function numberRows(batch: Batch, batchNo: number): void {
  const view = new DataView(batch.rows.buffer, batch.rows.byteOffset, batch.rows.byteLength)
  for (const offset of batch.offsets.subarray(0, -1)) view.setInt32(offset + batchNoOffset, batchNo)
}
