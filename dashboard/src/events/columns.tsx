// The columns of a table of spans, with their headers, widths and cells.
import type { ReactNode } from 'react'
import { type Schemas } from '../api/client.ts'
import { formatUsd, missing } from '../format/index.ts'
import { callMarkOf } from '../trace/describe-node.ts'
import { CallMarkIcon, KindIcon } from '../trace/Icons.tsx'
import { Badge, Duration, Link, Money, Time, Tokens } from '../ui/index.ts'
import { type ColumnKey } from './choose-columns.ts'
import { describeError } from './describe-error.ts'
import styles from './events.module.css'
import { nameFlags } from './flags.ts'

export type SpanEvent = Schemas['Event']

export type EventColumn = {
  readonly header: string
  /** In pixels; the name takes the remaining width. */
  readonly width: number
  readonly isNumber?: boolean
  readonly cell: (event: SpanEvent) => ReactNode
}

// In a window of 1280 pixels, the default columns are visible up to the cost.
export const columns: Readonly<Record<ColumnKey, EventColumn>> = {
  time: { header: 'Start', width: 152, cell: (event) => <Time time={event.start_time} /> },
  kind: {
    header: 'Kind',
    width: 100,
    cell: ({ kind }) => (
      <span className={styles.kind}>
        <KindIcon isLabelled={false} kind={kind} />
        {kind}
      </span>
    ),
  },
  name: {
    header: 'Name',
    width: 160,
    cell: (event) => (
      <Link
        params={{ trace_id: event.trace_id }}
        search={{ span: event.id.slice(event.trace_id.length + 1) }}
        to="/w/$workspace_id/traces/$trace_id"
        title={event.name}
      >
        {event.name}
      </Link>
    ),
  },
  agent: { header: 'Agent', width: 120, cell: ({ agent_name: name }) => <span title={name}>{name}</span> },
  subject: {
    header: 'Model or tool',
    width: 132,
    cell: ({ model, tool_name: tool }) => <span title={tool ?? model ?? undefined}>{tool ?? model ?? missing}</span>,
  },
  status: {
    header: 'Status',
    width: 64,
    cell: (event) =>
      event.status === 'ok' ? (
        'ok'
      ) : (
        <span title={describeError(event)}>
          <Badge tone="danger">error</Badge>
        </span>
      ),
  },
  error: {
    header: 'Error',
    width: 320,
    cell: (event) => (event.status === 'ok' ? null : <span title={describeError(event)}>{describeError(event)}</span>),
  },
  duration: { header: 'Duration', width: 84, isNumber: true, cell: (event) => <Duration ms={event.duration_ms} /> },
  ttft: { header: 'First token', width: 84, isNumber: true, cell: (event) => <Duration ms={event.ttft_ms} /> },
  tokens: { header: 'Tokens', width: 76, isNumber: true, cell: (event) => <Tokens tokens={sumTokens(event)} /> },
  cached: { header: 'Cached', width: 76, isNumber: true, cell: (event) => <Tokens tokens={event.cached_tokens} /> },
  cost: { header: 'Cost', width: 104, isNumber: true, cell: (event) => <Cost event={event} /> },
  marks: { header: 'Marks', width: 112, cell: (event) => <Marks event={event} /> },
  session: {
    header: 'Session',
    width: 152,
    cell: ({ session_id: id }) =>
      id === null ? (
        missing
      ) : (
        <Link params={{ session_id: id }} title={id} to="/w/$workspace_id/sessions/$session_id">
          {id}
        </Link>
      ),
  },
  provider: { header: 'Provider', width: 112, cell: ({ provider }) => provider ?? missing },
}

/** Sums of costs count model calls only. The cost that the sender reports for another span is paler, so that nobody adds it. */
function Cost({ event: { cost_usd: usd, provided_cost_usd: provided } }: { readonly event: SpanEvent }) {
  if (usd !== null || provided === null) return <Money usd={usd} />
  return (
    <span className={styles.flags} title="As the sender reports it; the sums of costs count model calls">
      {formatUsd(provided)}
    </span>
  )
}

const sumTokens = ({ input_tokens: input, output_tokens: output }: SpanEvent): number | null =>
  input === null && output === null ? null : (input ?? 0) + (output ?? 0)

/** Shows how a tool call was answered if a rule was involved, and the flags that ingest set. */
function Marks({ event }: { readonly event: SpanEvent }) {
  const mark = callMarkOf(event)
  const flags = nameFlags(event.flags)
  return (
    <span className={styles.marks} title={flags.join(', ')}>
      {mark === 'served' || mark === 'holdout' ? <CallMarkIcon mark={mark} /> : null}
      <span className={styles.flags}>{flags.join(', ')}</span>
    </span>
  )
}
