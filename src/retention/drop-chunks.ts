// Drops whole chunks in which no plan keeps a row, one per transaction. Plain tables have no chunks.
import type { Runner } from '../store/database.ts'
import { type RemovalBatchOptions, runBatch } from './batch.ts'

type Chunk = { readonly table_name: string; readonly ended_at: string }

/** Drops chunks that ended before the bound; null: none. Reports each transaction's count. Throws Outage if a chunk stays in use. */
export async function dropChunks(
  options: RemovalBatchOptions,
  findBound: (tx: Runner) => Promise<Date | null>,
  onDropped: (chunks: number) => void,
): Promise<void> {
  const before = await findBound(options.db)
  if (before === null) return
  for (const chunk of await options.db.rows<Chunk>('retention/list-chunks', [before])) {
    const dropped = await runBatch(options, async (tx) => await dropChunk(tx, chunk, await findBound(tx)))
    if (dropped === null) return
    onDropped(dropped)
  }
}

/** Drops nothing if a workspace has chosen meanwhile to keep the rows of the chunk. */
async function dropChunk(tx: Runner, { table_name, ended_at }: Chunk, before: Date | null): Promise<number> {
  if (before === null) return 0
  const row = await tx.row<{ dropped: number }>('retention/drop-chunk', [table_name, ended_at, before])
  return row?.dropped ?? 0
}
