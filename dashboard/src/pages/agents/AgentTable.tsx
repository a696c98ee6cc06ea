import type { ReactNode } from 'react'
import { Sparkline } from '../../charts/index.ts'
import { formatChange, formatCount, formatShare, formatSignedUsd, formatUsd, missing } from '../../format/index.ts'
import { costMeaning, ownErrorsMeaning } from '../../stats/meanings.ts'
import { Badge, type Column, Duration, Link, Money, Table, Term, Time } from '../../ui/index.ts'
import styles from './agents.module.css'
import { type AgentRow, costChangeOf } from './rows.ts'

type Stats = NonNullable<AgentRow['stats']>

/** Renders the cell of a figure, or a dash if the figures of the agent are unknown. */
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
  // Cost and its change are next to the name, so that a phone shows them without scrolling.
  {
    key: 'cost',
    header: <Term means={costMeaning}>Cost</Term>,
    isNumber: true,
    cell: cellOf((stats) => <Money usd={stats.cost_usd} unpricedCalls={stats.unpriced_calls} />),
  },
  {
    key: 'change',
    header: <Term means="Against the previous window of the same length">Cost change</Term>,
    isNumber: true,
    cell: (row) => <CostChange row={row} />,
  },
  {
    key: 'status',
    header: 'Status',
    cell: ({ agent: { status } }) => <Badge tone={status === 'active' ? 'good' : 'plain'}>{status}</Badge>,
  },
  {
    key: 'last_seen',
    header: 'Last seen',
    cell: ({ agent }) => <Time time={agent.last_seen} isRelative precision="min" />,
  },
  { key: 'calls', header: 'LLM calls', isNumber: true, cell: cellOf((stats) => formatCount(stats.llm_calls)) },
  {
    key: 'errors',
    header: <Term means={ownErrorsMeaning}>Errors</Term>,
    isNumber: true,
    cell: cellOf((stats) => formatShare(stats.errors, stats.events)),
  },
  {
    key: 'p95',
    header: <Term means="95 % of the spans took less">p95</Term>,
    isNumber: true,
    cell: cellOf((stats) => <Duration ms={stats.events === 0 ? null : stats.p95_duration_ms} />),
  },
  {
    key: 'served',
    // A longer title would push the models out of a window of 1280 pixels.
    header: <Term means="Tool calls that a stored result answered">Served</Term>,
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
        <Sparkline values={course} label={`Events of ${agent.name} over the window`} width={72} height={20} />
      ),
  },
  {
    key: 'models',
    header: 'Models',
    cell: ({ agent: { models } }) => <Models names={models} />,
  },
]

/**
 * Shows the change of the cost. The amount comes before the percentage, because the rows are sorted by it: the cost of a small agent can double
 * without mattering. An agent without cost in the previous window says so.
 */
function CostChange({ row }: { readonly row: AgentRow }) {
  const change = costChangeOf(row)
  if (row.stats === null || row.costBefore === null || change === null) return missing
  if (change === 0) return row.costBefore === 0 ? missing : formatUsd(0)
  const share =
    row.costBefore === 0 ? 'none before' : (formatChange(row.stats.cost_usd, row.costBefore)?.text ?? missing)
  return (
    <span title={`${formatUsd(row.stats.cost_usd)}, before ${formatUsd(row.costBefore)}`}>
      {formatSignedUsd(change)} <span className={styles.share}>({share})</span>
    </span>
  )
}

/** Shows the first model and the number of further ones. */
function Models({ names }: { readonly names: readonly string[] }) {
  const [first = missing, ...others] = names
  return (
    <span className={styles.models} title={names.join(', ')}>
      {others.length === 0 ? first : `${first} and ${formatCount(others.length)} more`}
    </span>
  )
}

export const AgentTable = ({ rows }: { readonly rows: readonly AgentRow[] }) => (
  <Table label="Agents" columns={columns} rows={rows} rowKey={({ agent }) => agent.id} />
)
