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
  /** In USD, in the window of the same length before this one; null as for `stats`. */
  readonly costBefore: number | null
}

/** By a figure of the window, as the interface orders them. */
const figures = ['cost_usd', 'events', 'errors', 'p95_duration_ms'] as const
export const orders = ['last_seen', 'cost_usd', 'cost_change', 'events', 'errors', 'p95_duration_ms'] as const
export type AgentOrder = (typeof orders)[number]

/** Which agents of a workspace have figures where not all of them fit into one answer. */
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

/** An agent that no group names did nothing, unless there are groups that are not shown. */
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

/** In USD, against the window before; null where one of the two is not known. */
export const costChangeOf = ({ stats, costBefore }: AgentRow): number | null =>
  stats === null || costBefore === null ? null : stats.cost_usd - costBefore

/** By what was seen last, as the interface lists them, or by a figure, largest first; agents without it come last. */
export function sortAgents(rows: readonly AgentRow[], order: AgentOrder): readonly AgentRow[] {
  if (order === 'last_seen') return rows
  const read = (row: AgentRow): number =>
    (order === 'cost_change' ? costChangeOf(row) : row.stats?.[order]) ?? Number.NEGATIVE_INFINITY
  // Two that lack the figure differ by NaN, which keeps their order.
  return rows.toSorted((a, b) => read(b) - read(a) || 0)
}

/** Those whose name holds the text, whatever its case. */
export function findAgents(rows: readonly AgentRow[], text: string, status: Agent['status'] | undefined): AgentRow[] {
  const wanted = text.trim().toLowerCase()
  return rows.filter(
    ({ agent }) => agent.name.toLowerCase().includes(wanted) && (status === undefined || agent.status === status),
  )
}
