// Floor 3. Chunks that hold nothing any plan still keeps: dropped whole, one a transaction. On plain tables there are none.
import { type BatchOptions, runBatch } from './batch.ts'

type Chunk = { readonly table_name: string; readonly ended_at: string }

/** Drops what ended before `before`. Gives how many chunks. Throws Outage where one stays in use. */
export async function dropChunks(options: BatchOptions, before: Date): Promise<number> {
  let dropped = 0
  for (const chunk of await options.db.rows<Chunk>('retention/list-chunks', [before])) {
    const result = await runBatch(
      options,
      async (tx) => await tx.row<{ dropped: number }>('retention/drop-chunk', [chunk.table_name, chunk.ended_at]),
    )
    if (result === null) return dropped
    dropped += result.dropped
  }
  return dropped
}
