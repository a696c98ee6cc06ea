// Stores the batches of several requests in one transaction: events, traces, agents and usage together, or nothing.

import { yieldTurn } from '../../base/in-slices.ts'
import { columnBits } from '../../encode/event-columns.ts'
import type { Database, Tx } from '../../store/database.ts'
import type { Batch, BatchOutcome } from '../batch.ts'
import { addAgents } from './add-agents.ts'
import { addTraces } from './add-traces.ts'
import { applyAgentCap } from './apply-agent-cap.ts'
import { dropOverQuota, findUsedUp, holdQuotas, type Room } from './apply-quotas.ts'
import { type BatchSlice, openWork, rowStatus, type Work } from './batch-slice.ts'
import { copyKept } from './copy-kept.ts'
import { countKept } from './count-kept.ts'
import { countScopes } from './count-scopes.ts'
import { dropRepeats, hasTwins } from './drop-repeats.ts'
import { markStored } from './find-stored.ts'
import type { LikelyDuplicates } from './likely-duplicates.ts'
import {
  type AgentsOfWork,
  findAgents,
  forgetUnused,
  keptAgents,
  makeAgents,
  type NamedAgents,
} from './lock-or-create-agents.ts'
import { noteDropped } from './note-dropped.ts'
import { type Outbox, openOutbox } from './outbox.ts'
import { recordOutcomes } from './record-outcomes.ts'

/** How a group is committed. */
export type CommitOptions = {
  /** A previous try failed because a span is already stored. All spans are looked up, in the tables and among the group's own. */
  readonly mayRepeat: boolean
  readonly likelyDuplicates: LikelyDuplicates
}

/**
 * Stores what is new and returns the outcome of each slice, in order. Nothing is visible before the commit.
 * Throws Outage if the commit may be tried again, and a PostgreSQL error of class 22 or 23 if a row is at fault or if another transaction
 * stored the same span in the meantime (23505); the next try finds that span. Rows are locked in this order: workspaces, quotas, the agents
 * that the rows name, agent caps, new agents, events, traces, the counts of agents, usage.
 *
 * Two round trips to PostgreSQL: one for the lookups, and one for all writes and the commit. So the rows that other groups wait for
 * (traces, agents and usage) are locked only while PostgreSQL itself works, even if this process stalls. New agents, caps, repeated spans
 * and dropped spans cost more round trips, before any of these rows is locked. The events of a large group are sent while the group is
 * being counted: they lock nothing that another group waits for, unless it has the same spans.
 */
export async function commitGroup(
  db: Database,
  slices: readonly BatchSlice[],
  options: CommitOptions,
): Promise<BatchOutcome[]> {
  const copied = new Map<Work, readonly number[]>()
  const outcomes = await db.tx(
    async (tx) => {
      const found = await lookUp(tx, slices, options)
      const live = found.works.filter((work) => work !== null)
      await decideFates(tx, live, found)
      const kept = live.filter(hasKept)
      const outbox = openOutbox(tx)
      if (kept.length > 0) {
        for (const [work, blocks] of copyKept(tx, kept, found.agents.ofWork)) copied.set(work, blocks)
        await addKept(outbox, kept, found.agents.ofWork)
      }
      forgetUnused(outbox, live, found.agents)
      const done = slices.map((slice, at) => ({
        slice,
        work: found.works[at] ?? null,
        outcome: describeOutcome(found.works[at] ?? null, found.timeline),
      }))
      recordOutcomes(outbox, done)
      outbox.flush()
      return done.map(({ outcome }) => outcome)
    },
    { readsFirst: true },
  )
  for (const [work, blocks] of copied) for (const block of blocks) work.storedBlocks.add(block)
  return outcomes
}

type Found = {
  /** In the order of the slices; null where the workspace is gone. */
  readonly works: readonly (Work | null)[]
  readonly agents: NamedAgents
  readonly room: Room
  /** Timeline of the database; null: none of the workspaces exists. */
  readonly timeline: string | null
}

/** Does the lookups that precede all writes, and marks the rows that are duplicates. */
async function lookUp(
  tx: Tx,
  slices: readonly BatchSlice[],
  { mayRepeat, likelyDuplicates }: CommitOptions,
): Promise<Found> {
  const all = slices.map(openWork)
  const filled = all.filter(hasRows)
  const isLikelyDuplicate = ({ batch }: Work): boolean =>
    mayRepeat || hasCap(batch) || likelyDuplicates.has(batch.workspaceId)
  const usedUp = await findUsedUp(tx, all)
  // The statements are sent in this order and answered in one round trip.
  const [alive, room, again, agents] = await Promise.all([
    lockWorkspaces(tx, slices),
    holdQuotas(tx, all, usedUp),
    markStored(tx, filled, isLikelyDuplicate),
    findAgents(tx, filled),
  ])
  for (const { batch } of again) likelyDuplicates.add(batch.workspaceId)
  const [timeline = null] = alive.values()
  const works = all.map((work) => (alive.has(work.batch.workspaceId) ? withoutLost(work, timeline) : null))
  const live = works.filter((work) => work !== null)
  dropRepeats(mayRepeat || hasTwins(live) ? live : inSeveralSlices(live.filter(({ batch }) => hasCap(batch))))
  const isAllKept = works.every((work) => work !== null && isWhole(work))
  return { works, room, timeline, agents: isAllKept ? agents : keptAgents(agents, live) }
}

/** Repeats of spans that were stored on another timeline do not count. */
const withoutLost = (work: Work, timeline: string | null): Work =>
  work.batch.storedOn === undefined || work.batch.storedOn === timeline ? work : { ...work, repeats: 0 }

/** Returns the workspaces that exist, each with the timeline of the database. */
async function lockWorkspaces(tx: Tx, slices: readonly BatchSlice[]): Promise<Map<string, string>> {
  const ids = [...new Set(slices.map(({ batch }) => batch.workspaceId))].sort()
  const rows = await tx.rows<{ id: string; timeline: string }>('ingest/lock-workspaces', [ids])
  return new Map(rows.map(({ id, timeline }) => [id, timeline]))
}

/** Marks the rows that a cap or a quota drops, and creates the missing agents. */
async function decideFates(tx: Tx, live: readonly Work[], { agents, room }: Found): Promise<void> {
  await applyAgentCap(tx, live, agents)
  await makeAgents(tx, agents)
  dropOverQuota(live, room)
  await noteDropped(tx, live)
}

/** Adds the kept rows to all counts. A large group takes several turns of the event loop, while PostgreSQL receives the rows themselves. */
async function addKept(outbox: Outbox, kept: readonly Work[], agents: AgentsOfWork): Promise<void> {
  const isLarge = kept.reduce((rows, { from, to }) => rows + to - from, 0) > maxRowsInTurn
  for (const add of [addTraces, addAgents, countKept, countScopes]) {
    if (isLarge) await yieldTurn()
    add(outbox, kept, agents)
  }
  if (isLarge) await yieldTurn()
}

/** Counting this many rows takes some 3 ms. */
const maxRowsInTurn = 1_000

const hasRows = ({ from, to }: Work): boolean => from < to

/** A span takes room under a cap or a quota once, so stored spans, and repeats inside a group, must be known exactly. */
const hasCap = ({ eventQuota, agentCap }: Batch): boolean => eventQuota !== null || agentCap !== null

/** The slices of workspaces that have more than one. */
const inSeveralSlices = (works: readonly Work[]): Work[] =>
  [...Map.groupBy(works, ({ batch }) => batch.workspaceId).values()].filter(({ length }) => length > 1).flat()

/** Whether all rows are kept. */
const isWhole = ({ from, to, rowStatuses: fate }: Work): boolean =>
  fate.subarray(from, to).every((one) => one === rowStatus.kept)

const hasKept = ({ from, to, rowStatuses: fate }: Work): boolean => fate.subarray(from, to).includes(rowStatus.kept)

/** Null: the workspace is gone. */
function describeOutcome(work: Work | null, timeline: string | null): BatchOutcome {
  const rows = [0, 0, 0, 0, 0, 0]
  let unpriced = 0
  if (work !== null) {
    for (let row = work.from; row < work.to; row++) {
      const fate = work.rowStatuses[row] as number
      rows[fate] = (rows[fate] as number) + 1
      if (fate === rowStatus.kept && ((work.batch.columns.bits[row] as number) & columnBits.unpriced) !== 0) unpriced++
    }
  }
  return {
    stored: rows[rowStatus.kept] ?? 0,
    duplicate: (rows[rowStatus.duplicate] ?? 0) + (work?.repeats ?? 0),
    droppedQuota: (rows[rowStatus.overQuota] ?? 0) + (rows[rowStatus.overQuotaAgain] ?? 0),
    droppedAgentCap: (rows[rowStatus.overCap] ?? 0) + (rows[rowStatus.overCapAgain] ?? 0),
    notStorable: 0,
    unpriced,
    workspaceGone: work === null,
    timeline: work === null ? null : timeline,
  }
}
