// Rollups of events that a test has inserted into the table itself.

import { appendDeltas } from '../../src/rollups/append-deltas.ts'
import { doWork } from '../../src/rollups/do-work.ts'
import { eachFactOf, readFacts } from '../../src/rollups/read-facts.ts'
import type { TimeSpan } from '../../src/rollups/spans.ts'
import { askForRebuilds } from '../../src/rollups/work.ts'
import { addToDelta, type Delta } from '../../src/sketches/delta.ts'
import { makeFact } from '../../src/sketches/fact.ts'
import type { Database } from '../../src/store/database.ts'

/** Builds minutes from events, and hours and days from those. */
export async function foldAnew(db: Database, workspaceId: string, { fromMs, toMs }: TimeSpan): Promise<void> {
  const onDamage = (): never => {
    throw new Error('damaged')
  }
  const limits = { maxDeltas: 100, maxMinutes: 10_000, maxEvents: 100_000, staleAfterMs: 0, onDamage }
  await askForRebuilds(db, [{ workspaceId, fromMs, toMs }], 0)
  for (;;) if ((await doWork(db, workspaceId, limits, 365 * 86_400_000)).result === 'none') return
}

/** Appends the delta of the events of some traces, as the transaction that stored them would have; it is not folded yet. */
export async function appendSome(
  db: Database,
  workspaceId: string,
  { fromMs, toMs }: TimeSpan,
  isChosen: (trace: number) => boolean,
): Promise<void> {
  const window = { from: new Date(fromMs), to: new Date(toMs) }
  const delta: Delta = new Map()
  const fact = makeFact()
  for (const row of await readFacts(db, workspaceId, window, null)) {
    if (isChosen(row.trace_id.readUInt32BE(12))) eachFactOf(fact, row, (one) => addToDelta(delta, one, 1))
  }
  await db.tx(async (tx) => appendDeltas(tx, new Map([[workspaceId, delta]])))
}
