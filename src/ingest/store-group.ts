// Floor 3. A group commit that gets the good rows in, whatever the bad ones do: retries what clashed, halves what was refused.
import { Outage } from '../base/fault.ts'
import type { Database } from '../store/database.ts'
import { isDataFault, readSqlstate, sqlstate } from '../store/sqlstate.ts'
import { type Batch, type BatchOutcome, rowCount } from './batch.ts'
import { commitGroup } from './commit-group.ts'

const maxTries = 4

/**
 * Gives each batch its outcome, in order. Throws Outage where it may be sent again: what was stored by then is a duplicate then.
 * A data fault (SQLSTATE class 22 or 23) halves the group down to the bad rows, which come back as notStorable.
 */
export async function storeGroup(db: Database, group: readonly Batch[]): Promise<BatchOutcome[]> {
  try {
    return await commitWithRetries(db, group)
  } catch (error) {
    if (!isDataFault(error)) throw error
    return await storeHalves(db, group)
  }
}

async function commitWithRetries(db: Database, group: readonly Batch[]): Promise<BatchOutcome[]> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await commitGroup(db, group)
    } catch (error) {
      if (!isClash(error)) throw error
      if (tries >= maxTries) throw new Outage('the rows are contended', { cause: error })
    }
  }
}

/** Two transactions were in each other's way; the same work may pass at once. */
function isClash(error: unknown): boolean {
  const state = readSqlstate(error instanceof Outage ? error.cause : error)
  return (
    state === sqlstate.deadlockDetected || state === sqlstate.serializationFailure || state === sqlstate.uniqueViolation
  )
}

async function storeHalves(db: Database, group: readonly Batch[]): Promise<BatchOutcome[]> {
  if (group.length > 1) {
    const middle = group.length >> 1
    return [...(await storeGroup(db, group.slice(0, middle))), ...(await storeGroup(db, group.slice(middle)))]
  }
  const batch = group[0]
  if (batch === undefined) return []
  if (rowCount(batch) <= 1) return [await rejectRow(db, batch)]
  const [first, second] = halve(batch)
  const [one] = await storeGroup(db, [first])
  const [two] = await storeGroup(db, [second])
  if (one === undefined || two === undefined) throw new Error('a group gave no outcome')
  return [addOutcomes(one, two)]
}

async function rejectRow(db: Database, batch: Batch): Promise<BatchOutcome> {
  const rejection = { reason: 'not_storable', count: 1, example: 'the database refused the data of this span' } as const
  const [outcome] = await commitWithRetries(db, [
    {
      ...batch,
      rows: new Uint8Array(0),
      blocks: new Uint8Array(0),
      offsets: new Uint32Array(1),
      rejections: [...batch.rejections, rejection],
    },
  ])
  if (outcome === undefined) throw new Error('a group gave no outcome')
  return { ...outcome, notStorable: outcome.workspaceGone ? 0 : rowCount(batch) }
}

/** The rejections of decoding stay with the first half, so that they count once. */
function halve(batch: Batch): [Batch, Batch] {
  const middle = rowCount(batch) >> 1
  return [
    { ...batch, ...cut(batch, 0, middle) },
    { ...batch, rejections: [], ...cut(batch, middle, rowCount(batch)) },
  ]
}

function cut(batch: Batch, from: number, to: number): Pick<Batch, 'rows' | 'offsets' | 'granted'> {
  const start = batch.offsets[from] ?? 0
  const offsets = batch.offsets.slice(from, to + 1).map((offset) => offset - start)
  // A half cannot know how much of the grant is its own; the database decides.
  return { rows: batch.rows.subarray(start, batch.offsets[to]), offsets, granted: null }
}

function addOutcomes(one: BatchOutcome, two: BatchOutcome): BatchOutcome {
  return {
    stored: one.stored + two.stored,
    duplicate: one.duplicate + two.duplicate,
    droppedQuota: one.droppedQuota + two.droppedQuota,
    droppedAgentCap: one.droppedAgentCap + two.droppedAgentCap,
    notStorable: one.notStorable + two.notStorable,
    unpriced: one.unpriced + two.unpriced,
    workspaceGone: one.workspaceGone && two.workspaceGone,
  }
}
