// Floor 3. One transaction for the batches of several requests: events, traces, agents and usage together, or nothing.
import { makeUuidV7 } from '../base/ids.ts'
import type { Database, Tx } from '../store/database.ts'
import { type Batch, type BatchOutcome, rowCount } from './batch.ts'
import { copyRows } from './copy-rows.ts'
import { countStaged } from './count-staged.ts'
import { recordUsage } from './record-usage.ts'

type Group = readonly Batch[]

/** Counts of spans by the number of the batch in the group. */
export type Tally = Map<number, number>

/**
 * Stores what is new and gives each batch its own outcome, in order. Nothing is visible before the commit.
 * Throws Outage where it may be tried again, a PostgreSQL error of class 22 or 23 where a row is at fault.
 */
export async function commitGroup(db: Database, group: Group): Promise<BatchOutcome[]> {
  return await db.tx(async (tx) => {
    const alive = await lockWorkspaces(tx, group)
    const live = group.map((batch) => alive.has(batch.workspaceId))
    if (group.some((batch, at) => live[at] === true && rowCount(batch) > 0)) {
      return await storeRows(tx, group, live)
    }
    const outcomes = group.map((_, at) => makeOutcome({ workspaceGone: live[at] !== true }))
    await recordUsage(tx, group, outcomes)
    return outcomes
  })
}

async function lockWorkspaces(tx: Tx, group: Group): Promise<Set<string>> {
  const ids = [...new Set(group.map(({ workspaceId }) => workspaceId))].sort()
  const rows = await tx.rows<{ id: string }>('ingest/lock-workspaces', [ids])
  return new Set(rows.map(({ id }) => id))
}

async function storeRows(tx: Tx, group: Group, live: readonly boolean[]): Promise<BatchOutcome[]> {
  await tx.run('ingest/make-stage')
  await tx.run('ingest/make-stage-blocks')
  await copyRows(tx.client, group, live)
  const repeats = await tx.run('ingest/drop-repeats')
  const agents = await addAgents(tx, group)
  const quotas = await applyQuotas(tx, group)
  const overCap = agents.dropped
  const overQuota = quotas.dropped
  const staged = group.reduce((sum, batch, at) => sum + (live[at] === true ? rowCount(batch) : 0), 0)
  const left = staged - repeats - agents.stored - quotas.stored - sumOf(overCap) - sumOf(overQuota)
  if ((await tx.run('ingest/insert-events')) < left) await tx.run('ingest/drop-not-inserted')
  const stored = new Map<number, { stored: number; unpriced: number }>()
  for (const row of await tx.rows<{ batch_no: number; stored: number; unpriced: number }>('ingest/count-stored')) {
    stored.set(row.batch_no, row)
  }
  if (stored.size > 0) {
    await tx.run('ingest/insert-payload-blocks')
    await tx.run('ingest/insert-tool-results')
    await tx.run('ingest/upsert-traces')
    await tx.run('ingest/upsert-agents')
    await tx.run('ingest/insert-commits')
    await countStaged(tx)
  }
  await forgetUnused(tx, agents.added)
  const outcomes = group.map((batch, at) => {
    if (live[at] !== true) return makeOutcome({ workspaceGone: true })
    const kept = stored.get(at) ?? { stored: 0, unpriced: 0 }
    const droppedQuota = overQuota.get(at) ?? 0
    const droppedAgentCap = overCap.get(at) ?? 0
    return makeOutcome({
      stored: kept.stored,
      unpriced: kept.unpriced,
      droppedQuota,
      droppedAgentCap,
      duplicate: rowCount(batch) - kept.stored - droppedQuota - droppedAgentCap,
    })
  })
  await recordUsage(tx, group, outcomes)
  return outcomes
}

const sumOf = (tally: Tally): number => [...tally.values()].reduce((sum, spans) => sum + spans, 0)

function makeOutcome(known: Partial<BatchOutcome>): BatchOutcome {
  return {
    stored: 0,
    duplicate: 0,
    droppedQuota: 0,
    droppedAgentCap: 0,
    notStorable: 0,
    unpriced: 0,
    workspaceGone: false,
    ...known,
  }
}

type Named = { workspace_id: string; agent_name: string }

/** `stored`: rows that left the stage because they were stored already. */
type Passed = { readonly dropped: Tally; readonly stored: number }

type AddedAgent = { readonly workspaceId: string; readonly id: string }

/** Makes the agents that are named for the first time; drops the spans of those over a cap. Mostly two queries that find none missing. */
async function addAgents(tx: Tx, group: Group): Promise<Passed & { readonly added: readonly AddedAgent[] }> {
  const dropped: Tally = new Map()
  const added: AddedAgent[] = []
  let stored: number | null = null
  for (;;) {
    await tx.run('ingest/lock-agents')
    const found = await tx.rows<Named>('ingest/find-new-agents')
    if (found.length === 0) return { dropped, stored: stored ?? 0, added }
    if (stored === null) {
      // A span that comes again may name an agent that settling found to be another one: not new, and no matter for a cap.
      stored = await tx.run('ingest/drop-stored', [[...new Set(found.map((row) => row.workspace_id))]])
      if (stored > 0) continue
    }
    const denied = await findDenied(tx, group, found)
    const admitted = found.filter((row) => !denied.has(row))
    const made = admitted.map((row) => ({ workspaceId: row.workspace_id, id: makeUuidV7() }))
    await tx.run('ingest/insert-agents', [
      made.map((agent) => agent.workspaceId),
      made.map((agent) => agent.id),
      admitted.map((row) => row.agent_name),
    ])
    added.push(...made)
    if (denied.size > 0) {
      const names = [[...denied].map((row) => row.workspace_id), [...denied].map((row) => row.agent_name)]
      for (const [batchNo, spans] of readTally(await tx.rows('ingest/drop-agents', names))) {
        dropped.set(batchNo, (dropped.get(batchNo) ?? 0) + spans)
      }
    }
    // Once more: a name that a rival added in the meantime has to be held as well.
  }
}

/** New agents whose every span turned out to be a duplicate or over a quota do not outlive the transaction. */
async function forgetUnused(tx: Tx, added: readonly AddedAgent[]): Promise<void> {
  if (added.length === 0) return
  const ids = [added.map((agent) => agent.workspaceId), added.map((agent) => agent.id)]
  await tx.run('ingest/forget-empty-agents', ids)
}

/** Those of the new agents that are over their workspace's cap. One transaction at a time looks and adds. */
async function findDenied(tx: Tx, group: Group, found: readonly Named[]): Promise<Set<Named>> {
  const denied = new Set<Named>()
  const caps = new Map(group.map((batch) => [batch.workspaceId, batch.agentCap]))
  for (const [id, names] of Map.groupBy(found, (row) => row.workspace_id)) {
    const cap = caps.get(id) ?? null
    if (cap === null) continue
    await tx.run('ingest/lock-agent-cap', [id])
    // Names that who held the lock before has added are no longer new; they count as agents and are denied to nobody.
    const known = await tx.rows<{ name: string }>('ingest/list-agents-named', [id, names.map((row) => row.agent_name)])
    const stillNew = names.filter((row) => !known.some(({ name }) => name === row.agent_name))
    const counted = await tx.row<{ agents: number }>('ingest/count-agents', [id])
    const room = Math.max(0, cap - (counted?.agents ?? 0))
    for (const row of stillNew.slice(room)) denied.add(row)
  }
  return denied
}

/**
 * Drops the new rows that a quota has no room for; the workspace's count stays locked until the commit, so that no two
 * transactions share the same room. Costs nothing where no workspace of the group has a quota.
 */
async function applyQuotas(tx: Tx, group: Group): Promise<Passed> {
  const capped = Map.groupBy(
    group.filter((batch) => batch.eventQuota !== null),
    (batch) => batch.workspaceId,
  )
  if (capped.size === 0) return { dropped: new Map(), stored: 0 }
  const remaining = new Map<string, number>()
  for (const id of [...capped.keys()].sort()) remaining.set(id, await readRemaining(tx, id, capped.get(id) ?? []))
  // Only under the lock: what a rival stored until it let go is seen, and takes no room a second time.
  const stored = await tx.run('ingest/drop-stored', [[...capped.keys()]])
  const dropped = await tx.rows('ingest/drop-over-quota', [[...remaining.keys()], [...remaining.values()]])
  return { dropped: readTally(dropped), stored }
}

async function readRemaining(tx: Tx, workspaceId: string, batches: Group): Promise<number> {
  const quota = batches[0]?.eventQuota ?? 0
  if (batches.every((batch) => batch.granted === 0)) {
    // A used-up quota stays used up for the month: who is over it does not have to queue for the lock. The grant alone does not
    // say so: the actor also counts what it has promised and nobody has stored.
    const seen = await tx.row<{ accepted: number }>('ingest/read-usage-month', [workspaceId])
    if ((seen?.accepted ?? 0) >= quota) return 0
  }
  const month = await tx.row<{ accepted: number }>('ingest/lock-usage-month', [workspaceId])
  return Math.max(0, quota - (month?.accepted ?? 0))
}

function readTally(rows: readonly object[]): Tally {
  return new Map((rows as readonly { batch_no: number; spans: number }[]).map((row) => [row.batch_no, row.spans]))
}
