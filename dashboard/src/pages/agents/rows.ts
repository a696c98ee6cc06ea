// The rows of the list of agents: each agent with its figures of the window.
import type { Schemas } from '../../api/client.ts'

type Agent = Schemas['Agent']
type Breakdown = Schemas['StatsBreakdown']
type Timeseries = Schemas['StatsTimeseries']
type Stats = Breakdown['items'][number]

export type AgentRow = {
  readonly agent: Agent
  /** Null: unknown, since the agent is not among the largest of this window or the figures are not loaded. */
  readonly stats: Stats | null
  /** The number of events by bucket. Null: the agent is not among those that have a series. */
  readonly course: readonly number[] | null
  /** The cost in USD in the previous window of the same length. Null as for `stats`. */
  readonly costBefore: number | null
}

/** The figures by which the API can order agents. */
const figures = ['cost_usd', 'events', 'errors', 'p95_duration_ms'] as const
export const orders = ['last_seen', 'cost_usd', 'cost_change', 'events', 'errors', 'p95_duration_ms'] as const
export type AgentOrder = (typeof orders)[number]

/** Returns the figure by which the API selects the largest agents, where not all of them fit into one response. */
export const figureOf = (order: AgentOrder): (typeof figures)[number] =>
  figures.find((figure) => figure === order) ?? (order === 'cost_change' ? 'cost_usd' : 'events')

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

/** Joins each agent with its figures. An agent without a group had no events, unless the breakdown leaves out groups. */
export function joinAgents(
  agents: readonly Agent[],
  breakdown: Breakdown | undefined,
  timeseries: Timeseries | undefined,
  before: Breakdown | undefined,
): AgentRow[] {
  const courses = new Map(timeseries?.series.map(({ key, points }) => [key, points.map(({ events }) => events)]))
  const statsOf = readStats(breakdown)
  const statsBefore = readStats(before)
  return agents.map((agent) => ({
    agent,
    stats: statsOf(agent),
    course: courses.get(agent.id) ?? null,
    costBefore: statsBefore(agent)?.cost_usd ?? null,
  }))
}

function readStats(breakdown: Breakdown | undefined): (agent: Agent) => Stats | null {
  const stats = new Map(breakdown?.items.map((item) => [item.key, item]))
  const isWhole = breakdown !== undefined && breakdown.other === null
  return ({ id, name }) => stats.get(id) ?? (isWhole ? { key: id, label: name, ...nothing } : null)
}

/** Returns the change of the cost in USD since the previous window; null if one of the two costs is unknown. */
export const costChangeOf = ({ stats, costBefore }: AgentRow): number | null =>
  stats === null || costBefore === null ? null : stats.cost_usd - costBefore

/** Sorts by a figure, largest first; agents without it come last. The order `last_seen` is that of the API. */
export function sortAgents(rows: readonly AgentRow[], order: AgentOrder): readonly AgentRow[] {
  if (order === 'last_seen') return rows
  const read = (row: AgentRow): number =>
    (order === 'cost_change' ? costChangeOf(row) : row.stats?.[order]) ?? Number.NEGATIVE_INFINITY
  // If both agents lack the figure, the difference is NaN, and they keep their order.
  return rows.toSorted((a, b) => read(b) - read(a) || 0)
}

/** Returns the agents whose name contains the text, ignoring case, and that have the status, if one is given. */
export function findAgents(rows: readonly AgentRow[], text: string, status: Agent['status'] | undefined): AgentRow[] {
  const wanted = text.trim().toLowerCase()
  return rows.filter(
    ({ agent }) => agent.name.toLowerCase().includes(wanted) && (status === undefined || agent.status === status),
  )
}
