// Floor 3. The agents that a group names: found, or made, or denied where a workspace has as many as its plan allows.
import { makeUuidV7, uuidToBytes } from '../../base/ids.ts'
import type { Tx } from '../../store/database.ts'
import { eachKept, fates, type Work } from './piece.ts'

export type NamedAgent = {
  readonly workspaceId: string
  readonly name: string
  /** Null: not found so far, or denied. */
  id: string | null
  /** The 16 bytes of the id, once it is known. */
  idBytes: Uint8Array
  /** Made by this transaction. */
  isNew: boolean
  isDenied: boolean
}

/** The agent of each row, by the place of its name among the batch's texts. */
export type AgentsOfWork = ReadonlyMap<Work, readonly (NamedAgent | undefined)[]>

export type HeldAgents = {
  readonly all: readonly NamedAgent[]
  readonly ofWork: AgentsOfWork
}

export type KnownAgent = NamedAgent & { id: string }

const isKnown = (agent: NamedAgent | undefined): agent is KnownAgent => (agent?.id ?? null) !== null

/** The agent of a row that is kept. */
export function agentOf(agents: AgentsOfWork, work: Work, row: number): KnownAgent {
  const agent = agents.get(work)?.[work.batch.columns.agent[row] as number]
  if (!isKnown(agent)) throw new Error('the agent of a row to store is not known')
  return agent
}

/** Marks the rows whose agent is over a cap. Mostly one query that finds them all. */
export async function holdAgents(tx: Tx, works: readonly Work[]): Promise<HeldAgents> {
  const held = listAgents(works)
  for (;;) {
    const missing = held.all.filter((agent) => agent.id === null && !agent.isDenied)
    if (missing.length === 0) break
    await find(tx, missing)
    const unknown = missing.filter((agent) => agent.id === null)
    if (unknown.length === 0) break
    await denyOverCap(tx, works, unknown)
    await make(
      tx,
      unknown.filter((agent) => agent.id === null && !agent.isDenied),
    )
    // Once more: a name that a rival added in the meantime has to be held as well.
  }
  if (held.all.some((agent) => agent.isDenied)) dropDenied(works, held.ofWork)
  return held
}

const noBytes = new Uint8Array(0)

/** In the order in which their spans arrived. */
function listAgents(works: readonly Work[]): HeldAgents {
  const all = new Map<string, NamedAgent>()
  const ofWork = new Map<Work, (NamedAgent | undefined)[]>()
  for (const work of works) {
    const { workspaceId, columns } = work.batch
    const byPlace: (NamedAgent | undefined)[] = Array.from({ length: columns.texts.length })
    eachKept(work, (row) => {
      const place = columns.agent[row] as number
      if (byPlace[place] !== undefined) return
      const name = columns.texts[place] as string
      const key = `${workspaceId} ${name}`
      let agent = all.get(key)
      if (agent === undefined) {
        agent = { workspaceId, name, id: null, idBytes: noBytes, isNew: false, isDenied: false }
        all.set(key, agent)
      }
      byPlace[place] = agent
    })
    ofWork.set(work, byPlace)
  }
  return { all: [...all.values()], ofWork }
}

/** By place and not by name: what PostgreSQL keeps of a name need not be equal to it here. */
async function find(tx: Tx, agents: readonly NamedAgent[]): Promise<void> {
  const rows = await tx.rows<{ place: number; id: string }>('ingest/hold-agents', [
    agents.map(({ workspaceId }) => workspaceId),
    agents.map(({ name }) => name),
  ])
  for (const { place, id } of rows) {
    const agent = agents[place - 1]
    if (agent === undefined) continue
    agent.id = id
    agent.idBytes = uuidToBytes(id)
  }
}

/** One transaction at a time looks and adds to a capped workspace. */
async function denyOverCap(tx: Tx, works: readonly Work[], unknown: readonly NamedAgent[]): Promise<void> {
  const caps = new Map(works.map(({ batch }) => [batch.workspaceId, batch.agentCap]))
  const byWorkspace = [...Map.groupBy(unknown, ({ workspaceId }) => workspaceId)].sort(([a], [b]) => (a < b ? -1 : 1))
  for (const [workspaceId, agents] of byWorkspace) {
    const cap = caps.get(workspaceId) ?? null
    if (cap === null) continue
    await tx.run('ingest/lock-agent-cap', [workspaceId])
    // Names that who held the lock before has added are no longer new; they count as agents and are denied to nobody.
    await find(tx, agents)
    const counted = await tx.row<{ agents: number }>('ingest/count-agents', [workspaceId])
    const room = Math.max(0, cap - (counted?.agents ?? 0))
    const stillNew = agents.filter((agent) => agent.id === null)
    for (const agent of stillNew.slice(room)) agent.isDenied = true
  }
}

async function make(tx: Tx, agents: readonly NamedAgent[]): Promise<void> {
  if (agents.length === 0) return
  await tx.run('ingest/insert-agents', [
    agents.map(({ workspaceId }) => workspaceId),
    agents.map(() => makeUuidV7()),
    agents.map(({ name }) => name),
  ])
  for (const agent of agents) agent.isNew = true
}

function dropDenied(works: readonly Work[], ofWork: AgentsOfWork): void {
  for (const work of works) {
    const byPlace = ofWork.get(work)
    eachKept(work, (row) => {
      if (byPlace?.[work.batch.columns.agent[row] as number]?.isDenied === true) work.fates[row] = fates.overCap
    })
  }
}

/** New agents whose every span was over a quota do not outlive the transaction. */
export async function forgetUnused(tx: Tx, works: readonly Work[], held: HeldAgents): Promise<void> {
  const unused = new Set(held.all.filter(({ isNew }) => isNew))
  if (unused.size === 0) return
  for (const work of works) {
    const byPlace = held.ofWork.get(work)
    eachKept(work, (row) => {
      const agent = byPlace?.[work.batch.columns.agent[row] as number]
      if (agent !== undefined) unused.delete(agent)
    })
  }
  if (unused.size === 0) return
  await tx.run('ingest/forget-empty-agents', [
    [...unused].map(({ workspaceId }) => workspaceId),
    [...unused].map(({ id }) => id),
  ])
}
