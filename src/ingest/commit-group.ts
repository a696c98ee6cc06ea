// Floor 3. One transaction for the batches of several requests: events, traces, agents and usage together, or nothing.
import { makeUuidV7 } from '../base/ids.ts'
import type { Database, Tx } from '../store/database.ts'
import { type Batch, type BatchOutcome, rowCount } from './batch.ts'
import { copyRows } from './copy-rows.ts'
import { recordUsage } from './record-usage.ts'

type Group = readonly Batch[]

/** Counts of spans by the number of the batch in the group. */
export type Tally = Map<number, number>

/** Thrown to give up the transaction where a quota moved since it was granted; the caller tries again with `direct`. */
export class QuotaMoved extends Error {
  override readonly name = 'QuotaMoved'
}

/**
 * Stores what is new and gives each batch its own outcome, in order. Nothing is visible before the commit.
 * `direct`: quotas are read from and locked in the database instead of taken from the grants.
 * Throws Outage where it may be tried again, a PostgreSQL error of class 22 or 23 where a row is at fault, QuotaMoved.
 */
export async function commitGroup(db: Database, group: Group, direct: boolean): Promise<BatchOutcome[]> {
  return await db.tx(async (tx) => {
    const alive = await lockWorkspaces(tx, group)
    const live = group.map((batch) => alive.has(batch.workspaceId))
    if (group.some((batch, at) => live[at] === true && rowCount(batch) > 0)) {
      return await storeRows(tx, group, live, direct)
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

async function storeRows(tx: Tx, group: Group, live: readonly boolean[], direct: boolean): Promise<BatchOutcome[]> {
  await tx.run('ingest/make-stage')
  await copyRows(tx.client, group, live)
  await tx.run('ingest/drop-repeats')
  const overCap = await addAgents(tx, group)
  const overQuota = await applyQuotas(tx, group, direct)
  await tx.run('ingest/insert-events')
  const stored = new Map<number, { stored: number; unpriced: number }>()
  for (const row of await tx.rows<{ batch_no: number; stored: number; unpriced: number }>('ingest/count-stored')) {
    stored.set(row.batch_no, row)
  }
  if (stored.size > 0) {
    await tx.run('ingest/insert-payloads')
    await tx.run('ingest/upsert-traces')
    await tx.run('ingest/upsert-agents')
    await tx.run('ingest/insert-commits')
  }
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
  if (!(await recordUsage(tx, group, outcomes))) throw new QuotaMoved()
  return outcomes
}

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

/** Makes the agents that are named for the first time; drops the spans of those over a cap. Mostly one query that finds none. */
async function addAgents(tx: Tx, group: Group): Promise<Tally> {
  let found = await tx.rows<Named>('ingest/find-new-agents')
  if (found.length === 0) return new Map()
  const caps = new Map(group.map((batch) => [batch.workspaceId, batch.agentCap]))
  const capped = [...new Set(found.map((row) => row.workspace_id))].filter((id) => (caps.get(id) ?? null) !== null)
  const denied: Named[] = []
  if (capped.length > 0) {
    for (const id of capped) await tx.run('ingest/lock-agent-cap', [id])
    // Read again: who held the lock may have added them.
    found = await tx.rows<Named>('ingest/find-new-agents')
    for (const id of capped) {
      const counted = await tx.row<{ agents: number }>('ingest/count-agents', [id])
      const room = Math.max(0, (caps.get(id) ?? 0) - (counted?.agents ?? 0))
      denied.push(...found.filter((row) => row.workspace_id === id).slice(room))
    }
  }
  const added = found.filter((row) => !denied.includes(row))
  if (added.length > 0) {
    await tx.run('ingest/insert-agents', [
      added.map((row) => row.workspace_id),
      added.map(() => makeUuidV7()),
      added.map((row) => row.agent_name),
    ])
  }
  if (denied.length === 0) return new Map()
  const names = [denied.map((row) => row.workspace_id), denied.map((row) => row.agent_name)]
  return readTally(await tx.rows('ingest/drop-agents', names))
}

/** Drops the new rows that a quota has no room for. Costs nothing where no workspace of the group has a quota. */
async function applyQuotas(tx: Tx, group: Group, direct: boolean): Promise<Tally> {
  const remaining = new Map<string, number>()
  const capped = [...new Set(group.filter((batch) => batch.eventQuota !== null).map((batch) => batch.workspaceId))].sort()
  if (capped.length === 0) return new Map()
  await tx.run('ingest/drop-stored', [capped])
  for (const id of capped) {
    const batches = group.filter((batch) => batch.workspaceId === id)
    const grants = batches.map((batch) => batch.granted)
    if (!direct && grants.every((grant) => grant !== null)) {
      remaining.set(id, grants.reduce((sum, grant) => sum + grant, 0))
    } else {
      const month = await tx.row<{ accepted: number }>('ingest/lock-usage-month', [id])
      remaining.set(id, Math.max(0, (batches[0]?.eventQuota ?? 0) - (month?.accepted ?? 0)))
    }
  }
  return readTally(await tx.rows('ingest/drop-over-quota', [[...remaining.keys()], [...remaining.values()]]))
}

function readTally(rows: readonly object[]): Tally {
  return new Map((rows as readonly { batch_no: number; spans: number }[]).map((row) => [row.batch_no, row.spans]))
}
