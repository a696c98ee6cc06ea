// The figures of a span, each with its name.
import { describeError } from '../../events/describe-error.ts'
import { nameFlags } from '../../events/flags.ts'
import { formatDuration, formatUsd } from '../../format/index.ts'
import { CopyButton, Link, Time } from '../../ui/index.ts'
import { Fact } from '../Fact.tsx'
import { isCall } from '../light-span.ts'
import type { SpanDetail } from '../use-detail.ts'
import type { SpanEvent } from '../use-spans.ts'
import { readFinishReasons } from './finish-reasons.ts'
import styles from './panel.module.css'
import { explainNoCost } from './token-parts.ts'

const sources = { workspace: 'prices of the workspace', table: 'price list', sender: 'reported by the sender' } as const

const lastWeek = { range: '7d', from_time: null, to_time: null }

/** The filters of the failed spans with the same tool or model, or else of the same kind, in any agent. */
const alikeOf = ({ kind, model, tool_name: tool }: SpanEvent) => ({
  agent_id: null,
  status: 'error',
  ...(tool !== null ? { tool_name: tool } : model !== null ? { model } : { kind }),
})

export function Facts({ span, detail }: { readonly span: SpanEvent; readonly detail: SpanDetail | null }) {
  const finish = detail === null ? [] : readFinishReasons(detail.attributes)
  return (
    <dl className={styles.facts}>
      <Fact name="Span id">
        <code>{span.span_id}</code> <CopyButton label="Copy the span id" text={span.span_id} />
      </Fact>
      <Fact name="Start">
        <Time time={span.start_time} />
      </Fact>
      <Fact name="Duration">
        {span.duration_ms === null ? 'open: its end is unknown' : formatDuration(span.duration_ms)}
      </Fact>
      <Fact name="Agent">{span.agent_name}</Fact>
      {span.model === null ? null : (
        <Fact name="Model">
          {span.model}
          {span.provider === null ? '' : ` (${span.provider})`}
        </Fact>
      )}
      {span.kind === 'llm' || span.kind === 'embedding' ? (
        <Fact name="Cost">
          {span.cost_usd === null ? `— ${explainNoCost(span)}` : formatUsd(span.cost_usd)}
          {span.pricing_source === null ? '' : ` · ${sources[span.pricing_source]}`}
        </Fact>
      ) : null}
      {/* For a tool, this is the cost that rules save, and no other page shows it. */}
      {span.provided_cost_usd === null ? null : (
        <Fact name="Cost reported by the sender">
          {formatUsd(span.provided_cost_usd)}
          {isCall(span.kind) ? '' : ' · not in the sums of costs, which count model calls'}
        </Fact>
      )}
      {span.ttft_ms === null ? null : <Fact name="First token after">{formatDuration(span.ttft_ms)}</Fact>}
      {finish.length === 0 ? null : <Fact name="Finish reason">{finish.join(', ')}</Fact>}
      {span.status === 'ok' ? null : (
        <Fact name="Error">
          <span className={styles.error}>{describeError(span)}</span>{' '}
          <Link search={{ ...alikeOf(span), ...lastWeek }} to="/w/$workspace_id/events">
            Similar failures
          </Link>
        </Fact>
      )}
      {span.flags.length === 0 ? null : <Fact name="Marks">{nameFlags(span.flags).join(', ')}</Fact>}
    </dl>
  )
}
