import { formatCount } from '../../format/index.ts'
import { Badge, type Column, Duration, Link, Money, Table, Time, Tokens } from '../../ui/index.ts'
import type { useSessionTraces } from './use-session-traces.ts'

export type SessionRow = ReturnType<typeof useSessionTraces>['rows'][number]

const columns: readonly Column<SessionRow>[] = [
  {
    key: 'name',
    header: 'Trace',
    cell: ({ trace }) => (
      <Link params={{ trace_id: trace.trace_id }} to="/w/$workspace_id/traces/$trace_id">
        {trace.name}
      </Link>
    ),
  },
  { key: 'start', header: 'Start', cell: ({ trace }) => <Time time={trace.start_time} /> },
  { key: 'agent', header: 'Agent', cell: ({ trace }) => trace.agent_name },
  {
    key: 'status',
    header: 'Status',
    cell: ({ trace }) =>
      trace.status === 'ok' ? 'ok' : <Badge tone="danger">{formatCount(trace.error_count)} failed</Badge>,
  },
  { key: 'duration', header: 'Duration', isNumber: true, cell: ({ trace }) => <Duration ms={trace.duration_ms} /> },
  { key: 'calls', header: 'LLM calls', isNumber: true, cell: ({ trace }) => formatCount(trace.llm_calls) },
  {
    key: 'tokens',
    header: 'Tokens',
    isNumber: true,
    cell: ({ trace }) => <Tokens tokens={trace.input_tokens + trace.output_tokens} />,
  },
  { key: 'tokens_sum', header: 'Tokens so far', isNumber: true, cell: ({ total }) => <Tokens tokens={total.tokens} /> },
  {
    key: 'cost',
    header: 'Cost',
    isNumber: true,
    cell: ({ trace }) => <Money unpricedCalls={trace.unpriced_calls} usd={trace.cost_usd} />,
  },
  {
    key: 'cost_sum',
    header: 'Cost so far',
    isNumber: true,
    cell: ({ total }) => <Money unpricedCalls={total.unpricedCalls} usd={total.costUsd} />,
  },
]

export const SessionTable = ({ rows }: { readonly rows: readonly SessionRow[] }) => (
  <Table columns={columns} label="Traces of the session" rowKey={({ trace }) => trace.trace_id} rows={rows} />
)
