// Looks up and locks the agents that the rows of a group name, and creates the missing ones.
import { Outage } from '../../base/fault.ts'
import { makeUuidV7, uuidToBytes } from '../../base/ids.ts'
import { columnBits } from '../../encode/event-columns.ts'
import type { Tx } from '../../store/database.ts'
import { eachKept, type Work } from './batch-slice.ts'
import type { Sending } from './outbox.ts'

export type NamedAgent = {
  readonly workspaceId: string
  readonly name: string
  /** Null: not found yet, or denied. */
  id: string | null
  /** The 16 bytes of the id, once the id is known. */
  idBytes: Uint8Array
  /** This transaction created it. */
  isNew: boolean
  /** At least one row names it for good. */
  isFinal: boolean
  /** It has a slot of the agent cap, or gets one with its rows. */
  hasSlot: boolean
  /** The agent cap keeps all of its rows from being stored. */
  isDenied: boolean
}

/** The agents of a work, by the index of the agent's name in the batch's texts. */
export type AgentsOfWork = ReadonlyMap<Work, readonly (NamedAgent | undefined)[]>

export type NamedAgents = {
  readonly all: readonly NamedAgent[]
  readonly ofWork: AgentsOfWork
}

export type KnownAgent = NamedAgent & { id: string }

const isKnown = (agent: NamedAgent | undefined): agent is KnownAgent => (agent?.id ?? null) !== null

/** Returns the agent of a kept row. */
export function agentOf(agents: AgentsOfWork, work: Work, row: number): KnownAgent {
  const agent = agents.get(work)?.[work.batch.columns.agent[row] as number]
  if (!isKnown(agent)) throw new Error('the agent of a row to store is not known')
  return agent
}

/** Whether a later span may name another agent for the row. Always false without a cap, where it makes no difference. */
export const isProvisional = ({ batch }: Work, row: number): boolean =>
  batch.agentCap !== null && ((batch.columns.bits[row] as number) & columnBits.agentProvisional) !== 0

/** Finds the agents of the rows and locks those that exist, except for the agents of deleted workspaces. */
export async function findAgents(tx: Tx, works: readonly Work[]): Promise<NamedAgents> {
  const held = listAgents(works)
  if (held.all.length > 0) await hold(tx, 'ingest/find-agents', held.all)
  return held
}

/** Returns the agents of the rows that are still kept: a duplicate needs no slot of a cap. */
export function keptAgents(held: NamedAgents, works: readonly Work[]): NamedAgents {
  const known = new Map(held.all.map((agent) => [keyOf(agent.workspaceId, agent.name), agent]))
  const kept = listAgents(works)
  for (const agent of kept.all) {
    const { id, idBytes, hasSlot } = known.get(keyOf(agent.workspaceId, agent.name)) as NamedAgent
    Object.assign(agent, { id, idBytes, hasSlot })
  }
  return kept
}

// Normally one try; more only if another transaction creates an agent and settling removes it as empty, at that very moment.
const maxTries = 8

/** Creates the missing agents, except for denied ones. The workspaces must be locked. Throws Outage. */
export async function makeAgents(tx: Tx, { all }: NamedAgents): Promise<void> {
  for (let tries = 1; ; tries++) {
    const missing = all.filter((agent) => agent.id === null && !agent.isDenied)
    if (missing.length === 0) return
    if (tries > maxTries) throw new Outage('limit', 'the agents of the spans were removed each time they were added')
    // A name that another transaction has added in the meantime must be locked as well.
    await Promise.all([make(tx, missing), lockNamedAgents(tx, missing)])
  }
}

const noBytes = new Uint8Array(0)

/** Lists the agents in the order in which their spans arrived. */
function listAgents(works: readonly Work[]): NamedAgents {
  const all = new Map<string, NamedAgent>()
  const ofWork = new Map<Work, (NamedAgent | undefined)[]>()
  for (const work of works) {
    const { columns } = work.batch
    const byPlace: (NamedAgent | undefined)[] = Array.from({ length: columns.texts.length })
    eachKept(work, (row) => {
      const place = columns.agent[row] as number
      let agent = byPlace[place]
      if (agent === undefined) {
        agent = findOrOpen(all, work, place)
        byPlace[place] = agent
      }
      if (!agent.isFinal && !isProvisional(work, row)) agent.isFinal = true
    })
    ofWork.set(work, byPlace)
  }
  return { all: [...all.values()], ofWork }
}

const keyOf = (workspaceId: string, name: string): string => `${workspaceId} ${name}`

function findOrOpen(
  all: Map<string, NamedAgent>,
  { batch: { workspaceId, columns } }: Work,
  place: number,
): NamedAgent {
  const name = columns.texts[place] as string
  const key = keyOf(workspaceId, name)
  let agent = all.get(key)
  if (agent === undefined) {
    const unknown = { id: null, idBytes: noBytes, isNew: false, isFinal: false, hasSlot: false, isDenied: false }
    agent = { workspaceId, name, ...unknown }
    all.set(key, agent)
  }
  return agent
}

/** Finds and locks the agents that exist. Their workspaces must be locked. */
export const lockNamedAgents = async (tx: Tx, agents: readonly NamedAgent[]): Promise<void> =>
  await hold(tx, 'ingest/lock-agents', agents)

/** Matches by position, not by name: the name that PostgreSQL returns need not equal the one sent. */
async function hold(
  tx: Tx,
  statement: 'ingest/find-agents' | 'ingest/lock-agents',
  agents: readonly NamedAgent[],
): Promise<void> {
  const rows = await tx.rows<{ place: number; id: string; provisional: boolean }>(statement, [
    agents.map(({ workspaceId }) => workspaceId),
    agents.map(({ name }) => name),
  ])
  for (const { place, id, provisional } of rows) {
    const agent = agents[place - 1]
    if (agent === undefined) continue
    agent.id = id
    agent.idBytes = uuidToBytes(id)
    if (!provisional) agent.hasSlot = true
  }
}

async function make(tx: Tx, agents: readonly NamedAgent[]): Promise<void> {
  await tx.run('ingest/insert-agents', [
    agents.map(({ workspaceId }) => workspaceId),
    agents.map(() => makeUuidV7()),
    agents.map(({ name }) => name),
    agents.map(({ hasSlot }) => !hasSlot),
  ])
  for (const agent of agents) agent.isNew = true
}

/** Removes new agents that got no row because a quota dropped all of their spans. */
export function forgetUnused(tx: Sending, works: readonly Work[], held: NamedAgents): void {
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
  tx.send('ingest/forget-empty-agents', [
    [...unused].map(({ workspaceId }) => workspaceId),
    [...unused].map(({ id }) => id),
  ])
}
