// Narrows a window to the time range in which the events of one agent or trace start, as their rows record it.
import type { Database } from '../../store/database.ts'
import type { ExactWindow, Window } from '../window.ts'

type Reach = { readonly first: Date; readonly last: Date }

export type Narrowing = {
  readonly workspaceId: string
  /** `trace_id` in hex. */
  readonly filters: { readonly agent_id?: string | undefined; readonly trace_id?: string | undefined }
}

/** Returns null if no event of the window can match, or if the agent or trace does not exist. One read by key for each of the two. */
export async function narrowWindow(
  db: Database,
  { workspaceId, filters }: Narrowing,
  window: ExactWindow,
): Promise<ExactWindow | null> {
  const { agent_id: agentId, trace_id: traceId } = filters
  const reaches = await Promise.all([
    ...(agentId === undefined ? [] : [db.row<Reach>('queries/find-agent-reach', [workspaceId, agentId])]),
    ...(traceId === undefined ? [] : [readTraceReach(db, workspaceId, traceId)]),
  ])
  return reaches.reduce<ExactWindow | null>((narrowed, reach) => intersect(narrowed, reach), window)
}

/**
 * Returns the start of the first span of a trace (in hex) and a time after which none starts, cut to the millisecond; null: no such trace.
 */
export async function readTraceReach(db: Database, workspaceId: string, traceId: string): Promise<Reach | null> {
  return await db.row<Reach>('queries/find-trace-reach', [workspaceId, Buffer.from(traceId, 'hex')])
}

/** Returns a half-open window that covers the range. Its end is a millisecond later, because the times were cut to milliseconds. */
export const cover = ({ first, last }: Reach): Window => ({ from: first, to: new Date(last.getTime() + 1) })

function intersect(window: ExactWindow | null, reach: Reach | null): ExactWindow | null {
  if (window === null || reach === null) return null
  const { from, to } = cover(reach)
  const both = {
    fromUs: Math.max(from.getTime() * 1_000, window.fromUs),
    toUs: Math.min(to.getTime() * 1_000, window.toUs),
  }
  return both.fromUs < both.toUs ? both : null
}
