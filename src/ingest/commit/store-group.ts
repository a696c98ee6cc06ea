// A group commit that stores the good rows in spite of bad ones: retries conflicts, and halves a group with rejected data.
import { Outage } from '../../base/fault.ts'
import { notStorable } from '../../otlp/reject.ts'
import type { Database } from '../../store/database.ts'
import { isDataFault, readSqlstate, sqlstate } from '../../store/sqlstate.ts'
import type { Batch, BatchOutcome } from '../batch.ts'
import { type BatchSlice, halve, wholeBatch } from './batch-slice.ts'
import { commitGroup } from './commit-group.ts'
import { type LikelyDuplicates, openLikelyDuplicates } from './likely-duplicates.ts'

const maxTries = 4
/** Finding one bad row among n costs about 2 log2 n transactions, for which all other senders wait. */
const maxBadRows = 64

type Storing = {
  readonly db: Database
  readonly likelyDuplicates: LikelyDuplicates
  /** Number of bad rows found so far in each batch. */
  readonly badRows: Map<Batch, number>
}

/**
 * Returns the outcome of each batch, in order. Throws Outage if the batches may be sent again; spans stored before the error are duplicates
 * then. A data fault (SQLSTATE class 22 or 23) halves the group down to the bad rows, which are reported as notStorable. After 64 bad rows
 * in a batch, each further part of it that fails is refused as a whole, including any good rows.
 */
export async function storeGroup(
  db: Database,
  group: readonly Batch[],
  likelyDuplicates: LikelyDuplicates = openLikelyDuplicates(),
): Promise<BatchOutcome[]> {
  return await storeSlices({ db, likelyDuplicates, badRows: new Map() }, group.map(wholeBatch))
}

async function storeSlices(storing: Storing, slices: readonly BatchSlice[]): Promise<BatchOutcome[]> {
  try {
    return await commitWithRetries(storing, slices)
  } catch (error) {
    if (!isDataFault(error)) throw error
    return await storeHalves(storing, slices)
  }
}

async function commitWithRetries(
  { db, likelyDuplicates }: Storing,
  slices: readonly BatchSlice[],
): Promise<BatchOutcome[]> {
  let mayRepeat = false
  for (let tries = 1; ; tries += 1) {
    try {
      return await commitGroup(db, slices, { mayRepeat, likelyDuplicates })
    } catch (error) {
      const state = readSqlstate(error instanceof Outage ? error.cause : error)
      if (!isClash(state)) throw error
      if (tries >= maxTries)
        throw new Outage('failure', 'the commit still conflicts with other transactions after all retries', {
          cause: error,
        })
      // Rows that another transaction stored are found on the next try; repeats within the group never are.
      if (state === sqlstate.uniqueViolation) mayRepeat = true
    }
  }
}

/**
 * Two transactions conflicted, or PostgreSQL ended this one because the process stalled in the middle of it. An immediate retry may
 * succeed.
 */
const isClash = (state: string | null): boolean =>
  state === sqlstate.deadlockDetected ||
  state === sqlstate.serializationFailure ||
  state === sqlstate.uniqueViolation ||
  state === sqlstate.idleInTransaction

async function storeHalves(storing: Storing, slices: readonly BatchSlice[]): Promise<BatchOutcome[]> {
  const [slice] = slices
  if (slice === undefined) return []
  if (slices.length > 1) {
    const middle = slices.length >> 1
    const first = await storeSlices(storing, slices.slice(0, middle))
    return [...first, ...(await storeSlices(storing, slices.slice(middle)))]
  }
  const { badRows } = storing
  const found = badRows.get(slice.batch) ?? 0
  if (slice.to - slice.from <= 1 || found >= maxBadRows) {
    badRows.set(slice.batch, found + 1)
    return [await rejectPiece(storing, slice)]
  }
  const [first, second] = halve(slice)
  const outcomes = [...(await storeSlices(storing, [first])), ...(await storeSlices(storing, [second]))]
  return [outcomes.reduce(addOutcomes)]
}

async function rejectPiece(storing: Storing, slice: BatchSlice): Promise<BatchOutcome> {
  const count = slice.to - slice.from
  const rejections = [...slice.rejections, { reason: notStorable.reason, count, example: notStorable.detail }]
  const [outcome] = await commitWithRetries(storing, [{ ...slice, to: slice.from, rejections }])
  if (outcome === undefined) throw new Error('the commit of a group returned no outcome')
  return { ...outcome, notStorable: outcome.workspaceGone ? 0 : count }
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
    timeline: one.timeline === two.timeline ? one.timeline : null,
  }
}
