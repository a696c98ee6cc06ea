// Floor 3. Sends the rows and payload blocks of a group to the staging tables by binary COPY.
import { once } from 'node:events'
import type { PoolClient } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { blockColumnNames } from '../otlp/rows/payload-blocks.ts'
import { batchNoOffset, stageColumnNames } from '../otlp/rows/row.ts'
import { guard } from '../store/database.ts'
import type { Batch } from './batch.ts'

const copyStage = `copy stage (${stageColumnNames.join(', ')}) from stdin (format binary)`
const copyBlocks = `copy stage_blocks (${blockColumnNames.join(', ')}) from stdin (format binary)`
// Signature, flags and header extension, as the manual's "Binary Format" gives them; −1 ends the file.
const header = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1')
const trailer = Buffer.from([0xff, 0xff])

/** Numbers the rows of each batch by its place in the group and copies those whose workspace is alive. Two round trips. */
export async function copyRows(client: PoolClient, group: readonly Batch[], live: readonly boolean[]): Promise<void> {
  for (const [at, batch] of group.entries()) numberRows(batch, at)
  const alive = group.filter((_, at) => live[at] === true)
  await copy(
    client,
    copyStage,
    alive.map(({ rows }) => rows),
  )
  await copy(
    client,
    copyBlocks,
    alive.map(({ blocks }) => blocks),
  )
}

async function copy(client: PoolClient, statement: string, parts: readonly Uint8Array[]): Promise<void> {
  await guard(async () => {
    const stream = client.query(copyFrom(statement))
    const finished = once(stream, 'finish')
    // Every failure is told by `finished`; a second one, of a connection that is broken already, says nothing new.
    finished.catch(() => undefined)
    stream.on('error', () => undefined)
    stream.write(header)
    for (const part of parts) {
      if (part.byteLength === 0) continue
      if (!stream.write(Buffer.from(part.buffer, part.byteOffset, part.byteLength))) {
        await Promise.race([once(stream, 'drain'), finished])
      }
    }
    stream.end(trailer)
    await finished
  })
}

function numberRows(batch: Batch, batchNo: number): void {
  const view = new DataView(batch.rows.buffer, batch.rows.byteOffset, batch.rows.byteLength)
  for (const offset of batch.offsets.subarray(0, -1)) view.setInt32(offset + batchNoOffset, batchNo)
}
