// Runs of agents in a workspace with an agent cap, and the effects of the cap.
import type { Event } from '../../src/event/event.ts'
import type { BatchOutcome } from '../../src/ingest/batch.ts'
import { storeGroup } from '../../src/ingest/commit/store-group.ts'
import type { Database } from '../../src/store/database.ts'
import { resolvePeriod } from '../../src/usage/period.ts'
import { readUsageRecord } from '../../src/usage/read-usage.ts'
import { type BatchOptions, makeBatch, makeEvent, makeLlmEvent } from '../_kit/batch.ts'
import type { TestDatabase } from '../_kit/db.ts'
import { settleUnhurried } from '../_kit/settle.ts'

export const fallback = 'my-process'

/** The `invoke_agent` root of a run, and its child calls that name no agent, as they arrive before the root. */
export type Run = { readonly root: Event; readonly children: Event[] }

export function makeRun(name: string): Run {
  const root = makeEvent({ kind: 'agent', name: `invoke_agent ${name}`, agentOwn: name, agentFallback: fallback })
  const children = Array.from({ length: 3 }, () =>
    makeLlmEvent(1, 1, { traceId: root.traceId, parentSpanId: root.spanId, agentFallback: fallback }),
  )
  return { root, children }
}

/** Resolves each event by itself, as if it were alone in its request, and stores them. */
export async function store(
  db: Database,
  workspace: string,
  events: readonly Event[],
  options: BatchOptions = { agentCap: 5 },
): Promise<BatchOutcome> {
  const [outcome] = await storeGroup(db, [makeBatch(workspace, events, options)])
  if (outcome === undefined) throw new Error('no outcome')
  return outcome
}

/** Settles until the workspace has no unsettled trace, and no agent that settling emptied. */
export async function settle({ db, query }: TestDatabase, workspace: string): Promise<void> {
  const left = `select from traces where workspace_id = $1 and not settled
    union all select from agents where workspace_id = $1 and events <= 0`
  while ((await query(left, [workspace])).length > 0) {
    await settleUnhurried(db, 0)
    await db.run('ingest/sweep-empty-agents')
  }
}

/** Returns the names of agents with a slot of the cap, and of those without one. */
export async function listAgents(
  { query }: TestDatabase,
  workspace: string,
): Promise<{ slots: string[]; provisional: string[] }> {
  const agents = await query<{ name: string; provisional: boolean }>(
    'select name, provisional from agents where workspace_id = $1 order by name',
    [workspace],
  )
  const namesOf = (provisional: boolean): string[] =>
    agents.filter((agent) => agent.provisional === provisional).map(({ name }) => name)
  return { slots: namesOf(false), provisional: namesOf(true) }
}

/** Returns the counts of the usage record. */
export async function readCounts(
  { db }: TestDatabase,
  workspace: string,
): Promise<{ agents: number; dropped: number } | null> {
  const usage = await readUsageRecord({ db }, workspace, resolvePeriod(undefined, Date.now()))
  return usage === null ? null : { agents: usage.agents, dropped: usage.droppedAgentCap }
}

/** Returns how many spans of a trace are stored under each agent. */
export async function countSpans(
  { query }: TestDatabase,
  workspace: string,
  { root }: Run,
): Promise<Record<string, number>> {
  const rows = await query<{ name: string; spans: number }>(
    `select a.name, count(*)::int as spans from events e join agents a on a.workspace_id = e.workspace_id and a.id = e.agent_id
     where e.workspace_id = $1 and e.trace_id = decode($2, 'hex') group by a.name`,
    [workspace, root.traceId],
  )
  return Object.fromEntries(rows.map(({ name, spans }) => [name, spans]))
}
