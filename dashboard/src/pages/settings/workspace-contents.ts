// The counts of what a workspace contains, for the page that deletes it.
import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '../../api/client.ts'
import { formatCount } from '../../format/index.ts'

export type Contents = {
  readonly events: number
  readonly traces: number
  readonly agents: number
  readonly decisions: number
  readonly findings: number
  readonly keys: number
}

const dayMs = 86_400_000
/** The longest window that the service accepts. */
const mostDays = 400
/** The most items that the service returns in one page of a list. */
const pageLength = 200

export const contentsQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ['contents', workspaceId],
    queryFn: ({ signal }) => readContents(workspaceId, signal),
  })

async function readContents(workspaceId: string, signal: AbortSignal): Promise<Contents> {
  const path = { workspace_id: workspaceId }
  const toMs = Date.now()
  const window = { from_time: new Date(toMs - mostDays * dayMs).toISOString(), to_time: new Date(toMs).toISOString() }
  const [summary, agents, decisions, findings, keys] = await Promise.all([
    dataOf(api.GET('/v1/workspaces/{workspace_id}/stats/summary', { params: { path, query: window }, signal })),
    dataOf(api.GET('/v1/workspaces/{workspace_id}/agents', { params: { path, query: { limit: pageLength } }, signal })),
    dataOf(api.GET('/v1/workspaces/{workspace_id}/decisions/summary', { params: { path }, signal })),
    dataOf(api.GET('/v1/workspaces/{workspace_id}/findings/summary', { params: { path }, signal })),
    dataOf(api.GET('/v1/keys', { params: { query: { workspace_id: workspaceId, limit: pageLength } }, signal })),
  ])
  return {
    events: summary.total_events,
    traces: summary.traces,
    agents: agents.length,
    decisions: decisions.total,
    findings: findings.total,
    keys: keys.length,
  }
}

/** Formats a count. A list that fills its page may have more items, so its count gets a plus. */
const countOfPage = (count: number): string => (count < pageLength ? formatCount(count) : `${formatCount(count)}+`)

export const listContents = ({ events, traces, agents, decisions, findings, keys }: Contents) => [
  { what: 'Events', one: 'event', count: formatCount(events) },
  { what: 'Traces', one: 'trace', count: formatCount(traces) },
  { what: 'Agents', one: 'agent', count: countOfPage(agents) },
  { what: 'Rules', one: 'rule', count: formatCount(decisions) },
  { what: 'Findings', one: 'finding', count: formatCount(findings) },
  { what: 'Keys', one: 'key', count: countOfPage(keys) },
]
