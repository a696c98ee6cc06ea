// The table of traces. Each row has a link to the trace, and a button that opens it in the panel.
import { Eye } from 'lucide-react'
import { memo } from 'react'
import { formatCount, formatDuration, formatShare } from '../../format/index.ts'
import { traceErrorsMeaning } from '../../stats/meanings.ts'
import { Badge, Button, Link, Money, Time, Tokens, titleIfCut } from '../../ui/index.ts'
import type { Search } from '../../window/index.ts'
import { listSearch } from './list-search.ts'
import styles from './traces.module.css'
import type { TraceSummary } from './use-trace-list.ts'

type Props = {
  readonly items: readonly TraceSummary[]
  readonly search: Search
  readonly peeked: string | null
  readonly isStale: boolean
  readonly onPeek: (traceId: string | null) => void
}

const headers = [
  ['Start', false],
  ['Name', false],
  ['Agent', false],
  ['Status', false],
  ['Duration', true],
  ['Spans', true],
  ['LLM calls', true],
  ['Tool calls', true],
  ['Served', true],
  ['Tokens', true],
  ['Cached', true],
  ['Cost', true],
] as const

/** Left out where the table is narrow. */
const cached = `${styles.number} ${styles.cached}`

function classOf(name: string, isNumber: boolean): string {
  if (name === 'Cached') return cached
  if (name === 'Agent') return styles.agent ?? ''
  return isNumber ? (styles.number ?? '') : ''
}

export function TraceTable({ items, search, peeked, isStale, onPeek }: Props) {
  const carried = listSearch(search)
  return (
    <div aria-label="Traces" className={`sideways ${styles.scroll}`} role="region" tabIndex={0}>
      <table className={`${styles.table} ${isStale ? styles.stale : ''}`}>
        <thead>
          <tr>
            {headers.map(([name, isNumber]) => (
              <th className={classOf(name, isNumber)} key={name} scope="col">
                {name}
              </th>
            ))}
            <th scope="col">
              <span className="visually-hidden">Preview</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {items.map((trace) => (
            <TraceRow
              carried={JSON.stringify(carried)}
              isPeeked={trace.trace_id === peeked}
              key={trace.trace_id}
              onPeek={onPeek}
              trace={trace}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

type RowProps = {
  readonly trace: TraceSummary
  /** The search parameters of links, as JSON, so that `memo` can compare them. */
  readonly carried: string
  readonly isPeeked: boolean
  readonly onPeek: Props['onPeek']
}

/** Links to the failed spans, which may be those of an agent that the agent of the trace called. */
const Failed = ({ trace: { trace_id: traceId, error_count: count } }: Pick<RowProps, 'trace'>) => (
  <Link
    className={styles.failed}
    search={{ agent_id: null, status: 'error', trace_id: traceId }}
    title={traceErrorsMeaning}
    to="/w/$workspace_id/events"
  >
    <Badge tone="danger">{formatCount(count)} failed</Badge>
  </Link>
)

const TraceRow = memo(function TraceRow({ trace, carried, isPeeked, onPeek }: RowProps) {
  return (
    <tr aria-current={isPeeked}>
      <td>
        <Time time={trace.start_time} />
      </td>
      <th className={styles.name} data-row-link onPointerEnter={titleIfCut} scope="row">
        <Link
          params={{ trace_id: trace.trace_id }}
          search={JSON.parse(carried) as Search}
          to="/w/$workspace_id/traces/$trace_id"
        >
          {trace.name}
        </Link>
      </th>
      <td className={styles.agent} onPointerEnter={titleIfCut}>
        {trace.agent_name}
      </td>
      <td>
        {trace.status === 'ok' ? 'ok' : <Failed trace={trace} />}
        {trace.settled ? null : <span className={styles.settling}> settling</span>}
      </td>
      <td className={styles.number}>{formatDuration(trace.duration_ms)}</td>
      <td className={styles.number}>{formatCount(trace.span_count)}</td>
      <td className={styles.number}>{formatCount(trace.llm_calls)}</td>
      <td className={styles.number}>{formatCount(trace.tool_calls)}</td>
      <td className={styles.number}>{formatCount(trace.served_calls)}</td>
      <td className={styles.number}>
        <Tokens tokens={trace.input_tokens + trace.output_tokens} />
      </td>
      <td className={cached}>{formatShare(trace.cached_tokens, trace.input_tokens)}</td>
      <td className={styles.number}>
        <Money unpricedCalls={trace.unpriced_calls} usd={trace.cost_usd} />
      </td>
      <td>
        <Button
          aria-label={`Preview ${trace.name}`}
          onClick={() => onPeek(isPeeked ? null : trace.trace_id)}
          title="Preview (Space)"
          variant="quiet"
        >
          <Eye aria-hidden size={14} />
        </Button>
      </td>
    </tr>
  )
})
