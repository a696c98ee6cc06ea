// A group commit that stores the good rows in spite of bad ones: retries conflicts, and halves a group with rejected data.
import { Outage } from '../../base/fault.ts'
import type { Database } from '../../store/database.ts'
import { isDataFault, readSqlstate, sqlstate } from '../../store/sqlstate.ts'
import type { Batch, BatchOutcome } from '../batch.ts'
import { commitGroup } from './commit-group.ts'
import { halve, type Piece, wholeBatch } from './piece.ts'
import { openSuspects, type Suspects } from './suspects.ts'

const maxTries = 4
/** Finding one bad row among n costs about 2 log2 n transactions, for which all other senders wait. */
const maxBadRows = 64

type Storing = {
  readonly db: Database
  readonly suspects: Suspects
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
  suspects: Suspects = openSuspects(),
): Promise<BatchOutcome[]> {
  return await storePieces({ db, suspects, badRows: new Map() }, group.map(wholeBatch))
}

async function storePieces(storing: Storing, pieces: readonly Piece[]): Promise<BatchOutcome[]> {
  try {
    return await commitWithRetries(storing, pieces)
  } catch (error) {
    if (!isDataFault(error)) throw error
    return await storeHalves(storing, pieces)
  }
}

async function commitWithRetries({ db, suspects }: Storing, pieces: readonly Piece[]): Promise<BatchOutcome[]> {
  let mayRepeat = false
  for (let tries = 1; ; tries += 1) {
    try {
      return await commitGroup(db, pieces, { mayRepeat, suspects })
    } catch (error) {
      const state = readSqlstate(error instanceof Outage ? error.cause : error)
      if (!isClash(state)) throw error
      if (tries >= maxTries)
        throw new Outage('the commit still conflicts with other transactions after all retries', { cause: error })
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

async function storeHalves(storing: Storing, pieces: readonly Piece[]): Promise<BatchOutcome[]> {
  const [piece] = pieces
  if (piece === undefined) return []
  if (pieces.length > 1) {
    const middle = pieces.length >> 1
    const first = await storePieces(storing, pieces.slice(0, middle))
    return [...first, ...(await storePieces(storing, pieces.slice(middle)))]
  }
  const { badRows } = storing
  const found = badRows.get(piece.batch) ?? 0
  if (piece.to - piece.from <= 1 || found >= maxBadRows) {
    badRows.set(piece.batch, found + 1)
    return [await rejectPiece(storing, piece)]
  }
  const [first, second] = halve(piece)
  const outcomes = [...(await storePieces(storing, [first])), ...(await storePieces(storing, [second]))]
  return [outcomes.reduce(addOutcomes)]
}

async function rejectPiece(storing: Storing, piece: Piece): Promise<BatchOutcome> {
  const count = piece.to - piece.from
  const example = 'the database rejected the data of this span'
  const rejections = [...piece.rejections, { reason: 'not_storable', count, example } as const]
  const [outcome] = await commitWithRetries(storing, [{ ...piece, to: piece.from, rejections }])
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
