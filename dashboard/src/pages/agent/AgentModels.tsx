// The models that the agent called, by cost.
import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '../../api/client.ts'
import { ShareBar } from '../../charts/index.ts'
import { formatCount, formatFraction, formatShare } from '../../format/index.ts'
import { NarrowLink } from '../../stats/NarrowLink.tsx'
import { breakdownQuery } from '../../stats/queries.ts'
import { type Column, Duration, Money, Panel, Table, Tokens } from '../../ui/index.ts'
import { mostGroups, type PartProps } from './part.ts'

type Row = Schemas['BreakdownRow']

export function AgentModels({ scope, agentId }: PartProps) {
  const models = useQuery(breakdownQuery(scope, 'model', 'cost_usd', mostGroups))
  const whole = [...(models.data?.items ?? []), models.data?.other].reduce((sum, row) => sum + (row?.cost_usd ?? 0), 0)
  const columns: readonly Column<Row>[] = [
    {
      key: 'model',
      header: 'Model',
      cell: (row) => <NarrowLink agentId={agentId} groupBy="model" row={row} />,
    },
    { key: 'calls', header: 'LLM calls', isNumber: true, cell: ({ llm_calls: calls }) => formatCount(calls) },
    { key: 'errors', header: 'Errors', isNumber: true, cell: (row) => formatShare(row.errors, row.events) },
    { key: 'input', header: 'Input', isNumber: true, cell: ({ input_tokens: tokens }) => <Tokens tokens={tokens} /> },
    {
      key: 'cached',
      header: 'Cached',
      isNumber: true,
      cell: (row) => (row.input_tokens === 0 ? '—' : formatShare(row.cached_tokens, row.input_tokens)),
    },
    {
      key: 'output',
      header: 'Output',
      isNumber: true,
      cell: ({ output_tokens: tokens }) => <Tokens tokens={tokens} />,
    },
    { key: 'p95', header: 'p95', isNumber: true, cell: ({ p95_duration_ms: ms }) => <Duration ms={ms} /> },
    {
      key: 'cost',
      header: 'Cost',
      isNumber: true,
      cell: (row) => <Money usd={row.cost_usd} unpricedCalls={row.unpriced_calls} />,
    },
    {
      key: 'share',
      header: 'Share of cost',
      cell: (row) => <ShareBar part={row.cost_usd} whole={whole} label={showShare(row, whole)} />,
    },
  ]
  return (
    <Panel
      title="Models"
      query={models}
      height={160}
      empty={({ items }) => (items.length === 0 ? <p>This agent called no model in this window.</p> : null)}
    >
      {({ items, other }) => (
        <>
          <Table label="Models of the agent" columns={columns} rows={items} rowKey={({ key }) => key} />
          {other !== null && <p>Further models with {formatCount(other.llm_calls)} LLM calls are not shown.</p>}
        </>
      )}
    </Panel>
  )
}

const showShare = ({ cost_usd: cost }: Row, whole: number): string =>
  whole === 0 ? 'no cost' : formatFraction(cost / whole)
