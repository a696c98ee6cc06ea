// Floor 3. One transaction for the batches of several requests: events, traces, agents and usage together, or nothing.

import { columnBits } from '../../otlp/rows/event-columns.ts'
import type { Database, Tx } from '../../store/database.ts'
import type { Batch, BatchOutcome } from '../batch.ts'
import { addAgents } from './add-agents.ts'
import { addTraces } from './add-traces.ts'
import { applyAgentCap } from './apply-agent-cap.ts'
import { dropOverQuota, holdQuotas } from './apply-quotas.ts'
import { copyKept } from './copy-kept.ts'
import { countKept } from './count-kept.ts'
import { countScopes } from './count-scopes.ts'
import { dropRepeats, hasTwins } from './drop-repeats.ts'
import { markStored } from './find-stored.ts'
import { type AgentsOfWork, findAgents, forgetUnused, makeAgents } from './hold-agents.ts'
import { noteDropped } from './note-dropped.ts'
import { fates, openWork, type Piece, type Work } from './piece.ts'
import { recordOutcomes } from './record-outcomes.ts'
import type { Suspects } from './suspects.ts'

/** How a group is committed. */
export type CommitOptions = {
  /** The tables have refused a span as stored already: each one is looked for, in the tables and among the group's own. */
  readonly mayRepeat: boolean
  readonly suspects: Suspects
}

/**
 * Stores what is new and gives each piece its own outcome, in order. Nothing is visible before the commit.
 * Throws Outage where it may be tried again; a PostgreSQL error of class 22 or 23 where a row is at fault, or where a rival stored
 * the same span in the meantime (23505), which the next try finds stored. Rows are locked in this order: workspaces, quotas,
 * agents that they name, agent caps, new agents, events, traces, agents' counts, usage.
 */
export async function commitGroup(
  db: Database,
  pieces: readonly Piece[],
  options: CommitOptions,
): Promise<BatchOutcome[]> {
  const copied = new Map<Work, readonly number[]>()
  const outcomes = await db.tx(async (tx) => {
    const alive = await lockWorkspaces(tx, pieces)
    const works = pieces.map((piece) => (alive.has(piece.batch.workspaceId) ? openWork(piece) : null))
    const live = works.filter((work) => work !== null)
    if (live.some(hasRows)) {
      for (const [work, blocks] of await storeRows(tx, live, options)) copied.set(work, blocks)
    }
    const done = pieces.map((piece, at) => ({
      piece,
      work: works[at] ?? null,
      outcome: tellOutcome(works[at] ?? null),
    }))
    await recordOutcomes(tx, done)
    return done.map(({ outcome }) => outcome)
  })
  for (const [work, blocks] of copied) for (const block of blocks) work.storedBlocks.add(block)
  return outcomes
}

async function lockWorkspaces(tx: Tx, pieces: readonly Piece[]): Promise<Set<string>> {
  const ids = [...new Set(pieces.map(({ batch }) => batch.workspaceId))].sort()
  const rows = await tx.rows<{ id: string }>('ingest/lock-workspaces', [ids])
  return new Set(rows.map(({ id }) => id))
}

/** Gives the blocks that were copied. */
async function storeRows(
  tx: Tx,
  works: readonly Work[],
  { mayRepeat, suspects }: CommitOptions,
): Promise<Map<Work, readonly number[]>> {
  const room = await holdQuotas(tx, works)
  const isSuspect = ({ batch }: Work): boolean => mayRepeat || hasCap(batch) || suspects.has(batch.workspaceId)
  for (const { batch } of await markStored(tx, works.filter(hasRows), isSuspect)) suspects.add(batch.workspaceId)
  if (mayRepeat || hasTwins(works)) dropRepeats(works)
  const agents = await findAgents(tx, works)
  await applyAgentCap(tx, works, agents)
  await makeAgents(tx, agents)
  dropOverQuota(works, room)
  await noteDropped(tx, works)
  const kept = works.filter(hasKept)
  const blocks = kept.length === 0 ? new Map<Work, number[]>() : await addKept(tx, kept, agents.ofWork)
  await forgetUnused(tx, works, agents)
  return blocks
}

/** Gives the blocks that were copied. */
async function addKept(tx: Tx, kept: readonly Work[], agents: AgentsOfWork): Promise<Map<Work, number[]>> {
  const blocks = await copyKept(tx, kept, agents)
  await addTraces(tx, kept, agents)
  await addAgents(tx, kept, agents)
  await countKept(tx, kept, agents)
  await countScopes(tx, kept)
  return blocks
}

const hasRows = ({ from, to }: Work): boolean => from < to

/** What is stored competes for nothing, so that it has to be known. */
const hasCap = ({ eventQuota, agentCap }: Batch): boolean => eventQuota !== null || agentCap !== null

const hasKept = ({ from, to, fates: fate }: Work): boolean => fate.subarray(from, to).includes(fates.kept)

/** Null: the workspace is gone. */
function tellOutcome(work: Work | null): BatchOutcome {
  const rows = [0, 0, 0, 0, 0, 0]
  let unpriced = 0
  if (work !== null) {
    for (let row = work.from; row < work.to; row++) {
      const fate = work.fates[row] as number
      rows[fate] = (rows[fate] as number) + 1
      if (fate === fates.kept && ((work.batch.columns.bits[row] as number) & columnBits.unpriced) !== 0) unpriced++
    }
  }
  return {
    stored: rows[fates.kept] ?? 0,
    duplicate: (rows[fates.duplicate] ?? 0) + (work?.repeats ?? 0),
    droppedQuota: (rows[fates.overQuota] ?? 0) + (rows[fates.overQuotaAgain] ?? 0),
    droppedAgentCap: (rows[fates.overCap] ?? 0) + (rows[fates.overCapAgain] ?? 0),
    notStorable: 0,
    unpriced,
    workspaceGone: work === null,
  }
}
