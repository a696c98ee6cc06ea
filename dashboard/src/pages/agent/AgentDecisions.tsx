// The rules that are limited to this agent.
import { useQuery } from '@tanstack/react-query'
import { api, dataOf, type Schemas } from '../../api/client.ts'
import { VerdictBadge } from '../../decisions/Marks.tsx'
import { decisionsKey } from '../../decisions/queries.ts'
import { readConfig } from '../../decisions/score.ts'
import { nameClaim } from '../../decisions/wording.ts'
import { describeCostDelta, describeLatencyDelta, formatCount } from '../../format/index.ts'
import { type Column, DecisionState, Link, Panel, Table, Time } from '../../ui/index.ts'
import type { PartProps } from './part.ts'

type Decision = Schemas['Decision']

const mostShown = 200

const columns: readonly Column<Decision>[] = [
  {
    key: 'tool',
    header: 'Tool',
    cell: (decision) => (
      <Link to="/w/$workspace_id/decisions/$decision_id" params={{ decision_id: decision.id }}>
        {readConfig(decision).toolName}
      </Link>
    ),
  },
  { key: 'type', header: 'Claim', cell: ({ type }) => nameClaim(type) },
  { key: 'state', header: 'State', cell: ({ state }) => <DecisionState state={state} /> },
  { key: 'verdict', header: 'Verdict', cell: (decision) => <VerdictBadge decision={decision} /> },
  { key: 'trials', header: 'Trials', isNumber: true, cell: ({ shadow_samples: trials }) => formatCount(trials) },
  { key: 'cost', header: 'Cost', cell: ({ cost_delta_usd: usd }) => describeCostDelta(usd).text },
  { key: 'latency', header: 'Duration', cell: ({ latency_delta_ms: ms }) => describeLatencyDelta(ms).text },
  { key: 'created', header: 'Proposed', cell: ({ created_at: time }) => <Time time={time} isRelative /> },
]

export function AgentDecisions({ scope: { workspaceId }, agentId }: PartProps) {
  const decisions = useQuery({
    queryKey: [...decisionsKey(workspaceId), 'agent', agentId],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/v1/workspaces/{workspace_id}/decisions', {
          params: { path: { workspace_id: workspaceId }, query: { agent_id: agentId, limit: mostShown } },
          signal,
        }),
      ),
  })
  return (
    <Panel
      title="Decisions"
      query={decisions}
      height={160}
      empty={(rows) =>
        rows.length === 0 ? (
          <p>No rule is proposed for this agent. Rules are proposed for tools whose calls are attested by the SDK.</p>
        ) : null
      }
    >
      {(rows) => (
        <>
          <Table label="Decisions" columns={columns} rows={rows} rowKey={({ id }) => id} />
          {rows.length === mostShown && <p>The {mostShown} that changed last are shown; there may be more.</p>}
        </>
      )}
    </Panel>
  )
}
