// Floor 3. What the rows that a group commit stored add to the rollups.
import { addToDelta, type Delta } from '../measure/delta.ts'
import { makeFact } from '../measure/fact.ts'
import { appendDeltas } from '../rollups/append-deltas.ts'
import { type FactRow, fillFact } from '../rollups/read-facts.ts'
import type { Tx } from '../store/database.ts'

/** Two statements, in the transaction that stored them. */
export async function countStaged(tx: Tx): Promise<void> {
  const deltas = new Map<string, Delta>()
  const fact = makeFact()
  for (const row of await tx.rows<FactRow & { workspace_id: string }>('ingest/read-staged-facts')) {
    const delta = deltas.get(row.workspace_id) ?? new Map()
    deltas.set(row.workspace_id, delta)
    addToDelta(delta, fillFact(fact, row), 1)
  }
  await appendDeltas(tx, deltas)
}
