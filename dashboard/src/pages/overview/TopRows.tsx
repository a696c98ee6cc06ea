// A table of the agents, models or tools with the highest cost, and the sum of the others.
import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '../../api/client.ts'
import { ShareBar } from '../../charts/index.ts'
import { formatCount } from '../../format/index.ts'
import { costMeaning } from '../../stats/meanings.ts'
import { NarrowLink } from '../../stats/NarrowLink.tsx'
import { breakdownQuery, type Grouping, type Scope } from '../../stats/queries.ts'
import { type Column, Empty, Link, Money, Panel, Table, Term } from '../../ui/index.ts'
import { countEvents, sumCost } from './facts.ts'

type Row = Schemas['BreakdownRow'] & { readonly isOther?: boolean }

const height = 240

const makeCostColumn = (groupBy: Grouping): Column<Row> => ({
  key: 'cost',
  header: groupBy === 'model' ? 'Cost' : <span title={costMeaning}>Cost</span>,
  isNumber: true,
  cell: (row) => <Money usd={row.cost_usd} unpricedCalls={row.unpriced_calls} />,
})

const nothing: Readonly<Record<Grouping, string>> = {
  agent: 'No agent did anything in this window.',
  model: 'No model was called in this window.',
  tool: 'No tool was called in this window.',
}

export function TopRows({
  scope,
  groupBy,
  title,
}: {
  readonly scope: Scope
  readonly groupBy: Grouping
  readonly title: string
}) {
  const byCost = useQuery(breakdownQuery(scope, groupBy, 'cost_usd'))
  // If no row has a cost, as with tools whose cost is not reported, the rows are ordered by their number of events.
  const isFree = byCost.data !== undefined && sumCost(byCost.data) === 0
  const byEvents = useQuery({ ...breakdownQuery(scope, groupBy, 'events'), enabled: isFree })
  const query = isFree ? byEvents : byCost
  return (
    <Panel
      title={title}
      query={query}
      height={height}
      actions={
        groupBy === 'agent' && (
          <Link to="/w/$workspace_id/agents" search={{ agent_id: null, order_by: 'cost_change' }}>
            All agents, by cost change
          </Link>
        )
      }
      empty={({ items }) => (items.length === 0 ? <Empty>{nothing[groupBy]}</Empty> : null)}
    >
      {(data) => <Rows data={data} groupBy={groupBy} title={title} />}
    </Panel>
  )
}

function Rows({
  data,
  groupBy,
  title,
}: {
  readonly data: Schemas['StatsBreakdown']
  readonly groupBy: Grouping
  readonly title: string
}) {
  const cost = sumCost(data)
  const hasCost = cost > 0
  const whole = hasCost ? cost : countEvents(data)
  const part = (row: Row): number => (hasCost ? row.cost_usd : row.events)
  const rows: readonly Row[] = [...data.items, ...(data.other === null ? [] : [{ ...data.other, isOther: true }])]
  const columns: readonly Column<Row>[] = [
    {
      key: 'name',
      header: groupBy === 'agent' ? 'Agent' : groupBy === 'model' ? 'Model' : 'Tool',
      cell: (row) => (row.isOther === true ? 'Other' : <NarrowLink groupBy={groupBy} row={row} />),
    },
    {
      key: 'calls',
      header: groupBy === 'tool' ? 'Calls' : 'LLM calls',
      isNumber: true,
      cell: (row) => formatCount(groupBy === 'tool' ? row.tool_calls : row.llm_calls),
    },
    // The sums do not include costs that senders report for tools: a column of zeros would suggest that the tools are free.
    ...(hasCost || groupBy !== 'tool' ? [makeCostColumn(groupBy)] : []),
    {
      key: 'share',
      header: <Term means={hasCost ? 'Of the cost' : 'Of the events'}>Share</Term>,
      cell: (row) => <ShareBar part={part(row)} whole={whole} slot={row.isOther === true ? 0 : 1} />,
    },
  ]
  return <Table label={title} columns={columns} rows={rows} rowKey={({ key, isOther }) => (isOther ? '' : key)} />
}
