// The trials of the rule: each real call that it would have answered, next to the execution whose result it would have served.
import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Schemas } from '../../api/client.ts'
import { trialsQuery } from '../../decisions/queries.ts'
import type { Decision } from '../../decisions/score.ts'
import { formatCount, formatDuration, missing, shortId } from '../../format/index.ts'
import { Badge, Button, type Column, Link, Panel, Table, Time } from '../../ui/index.ts'
import styles from './decision.module.css'
import type { Trial } from './ticks.ts'

type Matched = 'true' | 'false' | undefined
type Props = { readonly workspaceId: string; readonly decision: Decision; readonly matched: Matched }

const choices = [undefined, 'false', 'true'] as const

function nameChoice(matched: Matched, isUnread: boolean): string {
  if (matched === undefined) return 'All'
  if (isUnread) return matched === 'true' ? 'Not used' : 'Used'
  return matched === 'true' ? 'Right' : 'Wrong'
}

export function TrialsPanel({ workspaceId, decision, matched }: Props) {
  const wanted = matched === undefined ? undefined : matched === 'true'
  const query = useInfiniteQuery(trialsQuery(workspaceId, decision.id, wanted))
  const isUnread = decision.type === 'suppress_dead'
  return (
    <Panel<InfiniteData<Schemas['DecisionTrialPage']>>
      title={isUnread ? 'Sessions' : 'Trials'}
      query={query}
      height={64}
      actions={
        <nav className={styles.choices} aria-label={isUnread ? 'Which sessions' : 'Which trials'}>
          {choices.map((value) => (
            <Link
              key={value ?? 'all'}
              to="/w/$workspace_id/decisions/$decision_id"
              search={{ matched: value ?? null }}
              isView
            >
              {nameChoice(value, isUnread)}
            </Link>
          ))}
        </nav>
      }
    >
      {({ pages }) => {
        const rows = pages.flatMap(({ items }) => items)
        if (rows.length === 0) return <p className={styles.muted}>{describeNone(decision, matched)}</p>
        return (
          <>
            <Table
              label={isUnread ? 'Sessions' : 'Trials'}
              columns={isUnread ? sessionColumns : trialColumns}
              rows={rows}
              rowKey={({ trace_id: trace, span_id: span, at }) => `${trace}.${span}.${at}`}
            />
            <p className={styles.more}>
              {query.hasNextPage && (
                <Button
                  unavailable={query.isFetchingNextPage ? 'Loading…' : undefined}
                  onClick={() => void query.fetchNextPage()}
                >
                  {query.isFetchingNextPage ? 'Loading…' : 'Load newer'}
                </Button>
              )}{' '}
              <span className={styles.muted}>
                {formatCount(rows.length)} shown, oldest first. The newest 1,000{' '}
                {isUnread ? 'that used the result, and as many that did not,' : 'right and the newest 1,000 wrong ones'}{' '}
                are kept.
              </span>
            </p>
          </>
        )
      }}
    </Panel>
  )
}

function describeNone({ state, type }: Decision, matched: Matched): string {
  if (matched === 'false')
    return type === 'suppress_dead' ? 'No session is known in which the result was used.' : 'No trial was wrong.'
  if (matched === 'true')
    return type === 'suppress_dead' ? 'No session is known in which the result was not used.' : 'No trial was right.'
  return state === 'proposed'
    ? 'Trials begin when the rule is in shadow.'
    : 'No call has matched the rule yet. An input must first return two equal results.'
}

const SpanLink = ({ traceId, spanId }: { readonly traceId: string; readonly spanId: string }) => (
  <Link
    to="/w/$workspace_id/traces/$trace_id"
    params={{ trace_id: traceId }}
    search={{ span: spanId }}
    title={`${traceId}, span ${spanId}`}
  >
    <code>{shortId(spanId)}</code>
  </Link>
)

const time: Column<Trial> = { key: 'at', header: 'Time', cell: ({ at }) => <Time time={at} /> }
const counted: Column<Trial> = { key: 'counted', header: 'Counted', cell: describeCounted }
const newer = (header: string): Column<Trial> => ({
  key: 'new',
  header,
  cell: ({ trace_id: traceId, span_id: spanId }) => <SpanLink traceId={traceId} spanId={spanId} />,
})
const outcome = (right: string, wrong: string): Column<Trial> => ({
  key: 'outcome',
  header: 'Outcome',
  cell: ({ matched }) => showOutcome(matched, right, wrong),
})

const showOutcome = (matched: boolean | null, right: string, wrong: string): ReactNode => {
  if (matched === null) return <Badge>cannot be compared</Badge>
  return <Badge tone={matched ? 'good' : 'danger'}>{matched ? right : wrong}</Badge>
}

const trialColumns: readonly Column<Trial>[] = [
  time,
  newer('New execution'),
  {
    key: 'old',
    header: 'Earlier execution',
    cell: ({ candidate_trace_id: traceId, candidate_span_id: spanId }) =>
      traceId === null || spanId === null ? missing : <SpanLink traceId={traceId} spanId={spanId} />,
  },
  {
    key: 'age',
    header: 'Age',
    isNumber: true,
    cell: ({ age_s: age }) => formatDuration(age === null ? null : age * 1_000),
  },
  outcome('right', 'wrong'),
  counted,
]

const sessionColumns: readonly Column<Trial>[] = [time, newer('First execution'), outcome('not used', 'used'), counted]

const exclusions: Readonly<Record<NonNullable<Trial['excluded_reason']>, string>> = {
  no_candidate: 'no, nothing was stored',
  no_content_hash: 'no, no content is known',
  not_consumed: 'no, no model saw the result',
  pending: 'not yet',
  clustered: 'no, in the same session window',
}

function describeCounted({ counted: isCounted, excluded_reason: reason }: Trial): string {
  if (isCounted) return 'counted'
  return reason === null ? 'no' : exclusions[reason]
}
