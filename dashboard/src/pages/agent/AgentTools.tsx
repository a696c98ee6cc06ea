// The tools of the agent. Repeated calls with the same input could be served from a stored result.
import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '../../api/client.ts'
import { ShareBar } from '../../charts/index.ts'
import { formatCount, formatShare, missing } from '../../format/index.ts'
import { NarrowLink } from '../../stats/NarrowLink.tsx'
import { breakdownQuery } from '../../stats/queries.ts'
import { type Column, Duration, Panel, Table, Term } from '../../ui/index.ts'
import styles from './agent.module.css'
import { mostGroups, type PartProps } from './part.ts'

type Row = Schemas['BreakdownRow']

const repeatsMeaning =
  'Calls after the first one with the same input in this window, however much later. A finding counts only those within a short time, which it names.'

/**
 * Returns the number of calls beyond the first one for each input. The number of inputs is estimated if it is large. Null: no call reported
 * its input.
 */
const countRepeats = ({ tool_calls: calls, distinct_inputs: inputs }: Row): number | null =>
  inputs === 0 ? null : Math.max(0, calls - inputs)

export function AgentTools({ scope, agentId }: PartProps) {
  const tools = useQuery(breakdownQuery(scope, 'tool', 'events', mostGroups))
  const columns: readonly Column<Row>[] = [
    {
      key: 'tool',
      header: 'Tool',
      cell: (row) => <NarrowLink agentId={agentId} groupBy="tool" row={row} />,
    },
    { key: 'calls', header: 'Calls', isNumber: true, cell: ({ tool_calls: calls }) => formatCount(calls) },
    { key: 'inputs', header: 'Distinct inputs', isNumber: true, cell: (row) => showInputs(row) },
    {
      key: 'repeats',
      header: <Term means={repeatsMeaning}>Repeated</Term>,
      isNumber: true,
      cell: (row) => showRepeats(row),
    },
    { key: 'share', header: 'Share repeated', cell: (row) => <Repeats row={row} /> },
    { key: 'served', header: 'Served', isNumber: true, cell: (row) => formatShare(row.served_calls, row.tool_calls) },
    { key: 'errors', header: 'Errors', isNumber: true, cell: (row) => formatShare(row.errors, row.tool_calls) },
    { key: 'p95', header: 'p95', isNumber: true, cell: ({ p95_duration_ms: ms }) => <Duration ms={ms} /> },
  ]
  return (
    <Panel
      title="Tools"
      query={tools}
      height={160}
      empty={({ items }) => (items.length === 0 ? <p>This agent called no tool in this window.</p> : null)}
    >
      {({ items, other }) => (
        <>
          <Table label="Tools of the agent" columns={columns} rows={items} rowKey={({ key }) => key} />
          <p className={styles.facts}>
            What a call of a tool costs is shown with its span, where its sender reports it. Findings, rules and savings
            count these costs; the model cost does not.
          </p>
          {other !== null && <p>Further tools with {formatCount(other.tool_calls)} calls are not shown.</p>}
        </>
      )}
    </Panel>
  )
}

const showInputs = ({ distinct_inputs: inputs }: Row): string => (inputs === 0 ? missing : formatCount(inputs))

function showRepeats(row: Row): string {
  const repeats = countRepeats(row)
  return repeats === null ? missing : formatCount(repeats)
}

function Repeats({ row }: { readonly row: Row }) {
  const repeats = countRepeats(row)
  return repeats === null ? null : <ShareBar part={repeats} whole={row.tool_calls} slot={3} />
}
