// The figures of a trace as a whole.
import { formatCount, formatDuration } from '../format/index.ts'
import { Link, Money, Time, Tokens } from '../ui/index.ts'
import { Fact } from './Fact.tsx'
import styles from './trace.module.css'
import type { TraceDetail } from './use-spans.ts'

type Summary = Omit<TraceDetail, 'spans' | 'next_cursor'>

export function TraceHeader({ trace }: { readonly trace: Summary }) {
  const fresh = trace.input_tokens - trace.cached_tokens - trace.cache_write_tokens
  return (
    <dl className={styles.header}>
      <Fact name="Status">
        <span data-status={trace.status}>
          {trace.status === 'ok' ? 'ok' : `${formatCount(trace.error_count)} failed`}
        </span>
        {trace.settled ? null : (
          <span className={styles.settling} title="Agents, sessions and counts can still change">
            settling
          </span>
        )}
      </Fact>
      <Fact name="Start">
        <Time time={trace.start_time} />
      </Fact>
      <Fact name="Duration">{formatDuration(trace.duration_ms)}</Fact>
      <Fact name="Cost">
        <Money unpricedCalls={trace.unpriced_calls} usd={trace.cost_usd} />
      </Fact>
      <Fact name="Agent">
        <Link params={{ agent_id: trace.agent_id }} search={{ agent_id: null }} to="/w/$workspace_id/agents/$agent_id">
          {trace.agent_name}
        </Link>
      </Fact>
      {trace.session_id === null ? null : (
        <Fact name="Session">
          <Link params={{ session_id: trace.session_id }} to="/w/$workspace_id/sessions/$session_id">
            {trace.session_id}
          </Link>
        </Fact>
      )}
      <Fact name="Spans">{formatCount(trace.span_count)}</Fact>
      <Fact name="LLM calls">{formatCount(trace.llm_calls)}</Fact>
      <Fact name="Tool calls">
        {formatCount(trace.tool_calls)}
        {trace.served_calls > 0 ? `, ${formatCount(trace.served_calls)} served` : ''}
        {trace.holdout_calls > 0 ? `, ${formatCount(trace.holdout_calls)} held out` : ''}
      </Fact>
      <Fact name="Tokens">
        <Tokens tokens={fresh} /> fresh · <Tokens tokens={trace.cached_tokens} /> cached ·{' '}
        <Tokens tokens={trace.cache_write_tokens} /> written · <Tokens tokens={trace.output_tokens} /> output
      </Fact>
    </dl>
  )
}
