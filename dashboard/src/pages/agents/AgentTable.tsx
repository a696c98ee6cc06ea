import type { ReactNode } from 'react'
import { Sparkline } from '../../charts/index.ts'
import { formatCount, formatShare, missing } from '../../format/index.ts'
import { Badge, type Column, Duration, Link, Money, Table, Time } from '../../ui/index.ts'
import styles from './agents.module.css'
import type { AgentRow } from './rows.ts'

type Stats = NonNullable<AgentRow['stats']>

/** A cell of a figure; a dash where the figures of the agent are not known. */
const cellOf =
  (show: (stats: Stats) => ReactNode) =>
  ({ stats }: AgentRow): ReactNode =>
    stats === null ? missing : show(stats)

const columns: readonly Column<AgentRow>[] = [
  {
    key: 'name',
    header: 'Name',
    cell: ({ agent }) => (
      <Link to="/w/$workspace_id/agents/$agent_id" params={{ agent_id: agent.id }} search={{ agent_id: null }}>
        {agent.name}
      </Link>
    ),
  },
  {
    key: 'status',
    header: 'Status',
    cell: ({ agent: { status } }) => <Badge tone={status === 'active' ? 'good' : 'plain'}>{status}</Badge>,
  },
  { key: 'last_seen', header: 'Last seen', cell: ({ agent }) => <Time time={agent.last_seen} isRelative /> },
  { key: 'calls', header: 'LLM calls', isNumber: true, cell: cellOf((stats) => formatCount(stats.llm_calls)) },
  { key: 'errors', header: 'Errors', isNumber: true, cell: cellOf((stats) => formatShare(stats.errors, stats.events)) },
  {
    key: 'p95',
    header: 'p95',
    isNumber: true,
    cell: cellOf((stats) => <Duration ms={stats.events === 0 ? null : stats.p95_duration_ms} />),
  },
  {
    key: 'cost',
    header: 'Cost',
    isNumber: true,
    cell: cellOf((stats) => <Money usd={stats.cost_usd} unpricedCalls={stats.unpriced_calls} />),
  },
  {
    key: 'served',
    header: 'Tool calls served',
    isNumber: true,
    cell: cellOf((stats) => formatShare(stats.served_calls, stats.tool_calls)),
  },
  {
    key: 'course',
    header: 'Events',
    cell: ({ agent, course }) =>
      course === null ? (
        missing
      ) : (
        <Sparkline values={course} label={`Events of ${agent.name} over the window`} height={20} />
      ),
  },
  {
    key: 'models',
    header: 'Models',
    cell: ({ agent }) => <span className={styles.models}>{agent.models.join(', ')}</span>,
  },
]

export const AgentTable = ({ rows }: { readonly rows: readonly AgentRow[] }) => (
  <Table label="Agents" columns={columns} rows={rows} rowKey={({ agent }) => agent.id} />
)
