// The newest traces of the agent; the list of traces shows all of them.
import { useQuery } from '@tanstack/react-query'
import { api, dataOf, type Schemas } from '../../api/client.ts'
import { formatCount } from '../../format/index.ts'
import { costMeaning, traceErrorsMeaning } from '../../stats/meanings.ts'
import { Badge, type Column, Duration, Link, Money, Panel, Table, Term, Time } from '../../ui/index.ts'
import styles from './agent.module.css'
import type { PartProps } from './part.ts'

type Trace = Schemas['TraceSummary']

const mostShown = 10

export function AgentTraces({ scope, agentId }: PartProps) {
  const { workspaceId, window } = scope
  const traces = useQuery({
    queryKey: ['agent-traces', workspaceId, agentId, window.from, window.to],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/v1/workspaces/{workspace_id}/traces', {
          params: {
            path: { workspace_id: workspaceId },
            query: { agent_id: agentId, from_time: window.from, to_time: window.to, limit: mostShown },
          },
          signal,
        }),
      ),
    placeholderData: (before) => before,
  })
  const all = (
    <span className={styles.links}>
      <Link to="/w/$workspace_id/traces" search={{ agent_id: agentId, order_by: 'cost_usd' }}>
        Highest cost first
      </Link>
      <Link to="/w/$workspace_id/traces" search={{ agent_id: agentId }}>
        All traces of this agent
      </Link>
    </span>
  )
  return (
    <Panel
      title="Newest traces"
      query={traces}
      height={320}
      actions={all}
      empty={({ items }) => (items.length === 0 ? <p>No trace of this agent begins in this window.</p> : null)}
    >
      {({ items }) => (
        <Table label="Newest traces" columns={makeColumns(agentId)} rows={items} rowKey={({ trace_id: id }) => id} />
      )}
    </Panel>
  )
}

const makeColumns = (agentId: string): readonly Column<Trace>[] => [
  {
    key: 'name',
    header: 'Name',
    cell: ({ trace_id: id, name }) => (
      <Link to="/w/$workspace_id/traces/$trace_id" params={{ trace_id: id }} search={{ agent_id: agentId }}>
        {name}
      </Link>
    ),
  },
  { key: 'start', header: 'Start', cell: ({ start_time: time }) => <Time time={time} /> },
  {
    key: 'status',
    header: <Term means={traceErrorsMeaning}>Status</Term>,
    cell: ({ status, error_count: errors }) =>
      status === 'ok' ? 'ok' : <Badge tone="danger">{formatCount(errors)} failed</Badge>,
  },
  { key: 'duration', header: 'Duration', isNumber: true, cell: ({ duration_ms: ms }) => <Duration ms={ms} /> },
  { key: 'llm', header: 'LLM calls', isNumber: true, cell: ({ llm_calls: calls }) => formatCount(calls) },
  { key: 'tools', header: 'Tool calls', isNumber: true, cell: ({ tool_calls: calls }) => formatCount(calls) },
  {
    key: 'cost',
    header: <Term means={costMeaning}>Model cost</Term>,
    isNumber: true,
    cell: ({ cost_usd: usd, unpriced_calls: unpriced }) => <Money usd={usd} unpricedCalls={unpriced} />,
  },
]
