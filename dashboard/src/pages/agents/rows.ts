// The agents of a workspace with what they did in the window.
import type { Schemas } from '../../api/client.ts'

type Agent = Schemas['Agent']
type Breakdown = Schemas['StatsBreakdown']
type Timeseries = Schemas['StatsTimeseries']
type Stats = Breakdown['items'][number]

export type AgentRow = {
  readonly agent: Agent
  /** Null: nothing is known of it in this window, since it is not among the largest. */
  readonly stats: Stats | null
  /** Events by bucket; null: not among those that have a series. */
  readonly course: readonly number[] | null
}

export const orders = ['last_seen', 'cost_usd', 'events', 'errors', 'p95_duration_ms'] as const
export type AgentOrder = (typeof orders)[number]

const nothing: Omit<Stats, 'key' | 'label'> = {
  events: 0,
  llm_calls: 0,
  tool_calls: 0,
  served_calls: 0,
  errors: 0,
  input_tokens: 0,
  output_tokens: 0,
  cached_tokens: 0,
  cost_usd: 0,
  p50_duration_ms: 0,
  p95_duration_ms: 0,
  distinct_inputs: 0,
  unpriced_calls: 0,
}

/** An agent that no group names did nothing, unless there are groups that are not shown. */
export function joinAgents(
  agents: readonly Agent[],
  breakdown: Breakdown | undefined,
  timeseries: Timeseries | undefined,
): AgentRow[] {
  const stats = new Map(breakdown?.items.map((item) => [item.key, item]))
  const courses = new Map(timeseries?.series.map(({ key, points }) => [key, points.map(({ events }) => events)]))
  const isWhole = breakdown !== undefined && breakdown.other === null
  return agents.map((agent) => ({
    agent,
    stats: stats.get(agent.id) ?? (isWhole ? { key: agent.id, label: agent.name, ...nothing } : null),
    course: courses.get(agent.id) ?? null,
  }))
}

/** By what was seen last, as the interface lists them, or by a figure, largest first; agents without figures come last. */
export function sortAgents(rows: readonly AgentRow[], order: AgentOrder): readonly AgentRow[] {
  if (order === 'last_seen') return rows
  return rows.toSorted((a, b) => (b.stats?.[order] ?? -1) - (a.stats?.[order] ?? -1))
}

/** Those whose name holds the text, whatever its case. */
export function findAgents(rows: readonly AgentRow[], text: string, status: Agent['status'] | undefined): AgentRow[] {
  const wanted = text.trim().toLowerCase()
  return rows.filter(
    ({ agent }) => agent.name.toLowerCase().includes(wanted) && (status === undefined || agent.status === status),
  )
}
