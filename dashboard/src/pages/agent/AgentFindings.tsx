// The findings about the agent, those with the highest cost first.
import { useQuery } from '@tanstack/react-query'
import { api, dataOf, type Schemas } from '../../api/client.ts'
import { formatCount } from '../../format/index.ts'
import { type Column, Link, Panel, Severity, Table, Time } from '../../ui/index.ts'
import { MonthlyCost } from '../findings/MonthlyCost.tsx'
import { TimesHeader } from '../findings/TimesHeader.tsx'
import type { PartProps } from './part.ts'

type Finding = Schemas['Finding']

const mostShown = 50

const columns: readonly Column<Finding>[] = [
  {
    key: 'title',
    header: 'Finding',
    isSentence: true,
    cell: ({ id, agent_id: agentId, title }) => (
      <Link to="/w/$workspace_id/findings" search={{ agent_id: agentId, finding: id }}>
        {title}
      </Link>
    ),
  },
  { key: 'severity', header: 'Severity', cell: ({ severity }) => <Severity severity={severity} /> },
  { key: 'seen', header: <TimesHeader />, isNumber: true, cell: ({ occurrences }) => formatCount(occurrences) },
  { key: 'cost', header: '$ a month', isNumber: true, cell: (finding) => <MonthlyCost finding={finding} /> },
  { key: 'last', header: 'Last seen', cell: ({ last_seen: time }) => <Time time={time} isRelative /> },
]

export function AgentFindings({ scope: { workspaceId }, agentId }: PartProps) {
  const findings = useQuery({
    queryKey: ['agent-findings', workspaceId, agentId],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/v1/workspaces/{workspace_id}/findings', {
          params: {
            path: { workspace_id: workspaceId },
            query: { agent_id: agentId, status: 'open', order_by: 'est_monthly_cost_usd', limit: mostShown },
          },
          signal,
        }),
      ),
  })
  return (
    <Panel
      title="Open findings"
      query={findings}
      height={160}
      empty={({ items }) => (items.length === 0 ? <p>This agent has no open findings.</p> : null)}
    >
      {({ items, next_cursor: next }) => (
        <>
          <Table label="Open findings" columns={columns} rows={items} rowKey={({ id }) => id} />
          {next !== null && <p>The {mostShown} with the highest cost are shown; there are more.</p>}
        </>
      )}
    </Panel>
  )
}
