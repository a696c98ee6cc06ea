// Applies the agent cap, exactly even if many transactions store at once: decides which agents get a slot, and drops rows whose agent
// gets none.
import { keyOffsets } from '../../encode/row.ts'
import type { Tx } from '../../store/database.ts'
import { eachKept, rowStatus, type Work } from './batch-slice.ts'
import { isProvisional, lockNamedAgents, type NamedAgent, type NamedAgents } from './lock-or-create-agents.ts'

/**
 * An agent needs a slot once a row names it for good. An agent that a later span may replace by the real one takes no slot, and its rows
 * are always stored. A trace is not split: if other spans of it are stored, so are those of an agent without a slot. Costs nothing if no
 * workspace of the group has a cap, or if each agent has a slot.
 */
export async function applyAgentCap(tx: Tx, works: readonly Work[], held: NamedAgents): Promise<void> {
  const asking = held.all.filter(({ isFinal, hasSlot }) => isFinal && !hasSlot)
  if (asking.length === 0) return
  const caps = new Map(works.map(({ batch }) => [batch.workspaceId, batch.agentCap]))
  const byWorkspace = [...Map.groupBy(asking, ({ workspaceId }) => workspaceId)].sort(([a], [b]) => (a < b ? -1 : 1))
  for (const [workspaceId, agents] of byWorkspace) {
    const cap = caps.get(workspaceId) ?? null
    if (cap === null) for (const agent of agents) agent.hasSlot = true
    else await giveSlots(tx, workspaceId, cap, agents)
  }
  const overCap = new Set(asking.filter(({ hasSlot }) => !hasSlot))
  if (overCap.size > 0) await dropOverCap(tx, works, held, overCap)
}

/** In a capped workspace only one transaction at a time counts and adds agents: the lock lasts until the transaction ends. */
async function giveSlots(tx: Tx, workspaceId: string, cap: number, agents: readonly NamedAgent[]): Promise<void> {
  const [, , counted] = await Promise.all([
    tx.run('ingest/lock-agent-cap', [workspaceId]),
    // The previous lock holder may have created some of these agents or given them a slot: look again.
    lockNamedAgents(tx, agents),
    tx.row<{ agents: number }>('ingest/count-agents', [workspaceId]),
  ])
  const room = Math.max(0, cap - (counted?.agents ?? 0))
  for (const agent of agents.filter(({ hasSlot }) => !hasSlot).slice(0, room)) agent.hasSlot = true
}

type Row = { readonly work: Work; readonly row: number; readonly trace: string }

/** Marks the rows that name an agent without a slot, and denies the agents that no row uses any more. */
async function dropOverCap(
  tx: Tx,
  works: readonly Work[],
  held: NamedAgents,
  overCap: ReadonlySet<NamedAgent>,
): Promise<void> {
  const workspaces = new Set([...overCap].map(({ workspaceId }) => workspaceId))
  const affected = works.filter(({ batch }) => workspaces.has(batch.workspaceId))
  const keptTraces = new Set<string>()
  const unsure: Row[] = []
  for (const work of affected)
    eachKept(work, (row) => {
      const agent = agentAt(held, work, row)
      const trace = traceOf(work, row)
      if (agent === undefined || !overCap.has(agent) || isProvisional(work, row)) keptTraces.add(trace)
      else unsure.push({ work, row, trace })
    })
  const alone = unsure.filter(({ trace }) => !keptTraces.has(trace))
  for (const trace of await findStoredTraces(tx, alone)) keptTraces.add(trace)
  for (const { work, row, trace } of alone) if (!keptTraces.has(trace)) work.rowStatuses[row] = rowStatus.overCap
  denyUnused(affected, held, overCap)
}

const agentAt = ({ ofWork }: NamedAgents, work: Work, row: number): NamedAgent | undefined =>
  ofWork.get(work)?.[work.batch.columns.agent[row] as number]

const traceIdBytes = 16

function traceIdOf({ batch: { rows, offsets } }: Work, row: number): Buffer {
  return Buffer.from(rows.buffer, rows.byteOffset + (offsets[row] as number) + keyOffsets.traceId, traceIdBytes)
}

const traceOf = (work: Work, row: number): string =>
  `${work.batch.workspaceId} ${traceIdOf(work, row).toString('latin1')}`

/** Returns the traces of these rows that have stored spans. */
async function findStoredTraces(tx: Tx, rows: readonly Row[]): Promise<string[]> {
  const traces = [...new Map(rows.map((one) => [one.trace, one])).values()]
  if (traces.length === 0) return []
  const stored = await tx.rows<{ place: number }>('ingest/find-stored-traces', [
    traces.map(({ work }) => work.batch.workspaceId),
    traces.map(({ work, row }) => traceIdOf(work, row)),
  ])
  return stored.flatMap(({ place }) => traces[place - 1]?.trace ?? [])
}

function denyUnused(works: readonly Work[], held: NamedAgents, overCap: ReadonlySet<NamedAgent>): void {
  const unused = new Set(overCap)
  for (const work of works)
    eachKept(work, (row) => {
      const agent = agentAt(held, work, row)
      if (agent !== undefined) unused.delete(agent)
    })
  for (const agent of unused) agent.isDenied = true
}
