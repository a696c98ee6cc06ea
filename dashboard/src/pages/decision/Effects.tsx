// What the rule changes for each call that it serves, and the totals of these changes.
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { type Decision, readConfig, readProposal, readScore } from '../../decisions/score.ts'
import { describeBasis, nameAge } from '../../decisions/wording.ts'
import {
  countOf,
  describeCostDelta,
  describeLatencyDelta,
  describeSaving,
  type Effect,
  exact,
  formatCount,
  formatDuration,
  formatUsd,
  missing,
} from '../../format/index.ts'
import { ErrorNote, Time } from '../../ui/index.ts'
import styles from './decision.module.css'
import { type NetOf, netQuery } from './net.ts'

type Props = { readonly decision: Decision }

export function Effects(of: NetOf) {
  const id = useId()
  const { decision } = of
  return (
    <section className={styles.panel} aria-labelledby={id}>
      <header className={styles.panelHead}>
        <h2 id={id}>Effects</h2>
      </header>
      <dl className={styles.effects}>
        {decision.activated_at !== null && <Achieved {...of} activatedAt={decision.activated_at} />}
        <Monthly decision={decision} />
        <PerCall decision={decision} />
      </dl>
    </section>
  )
}

type FigureProps = {
  readonly label: string
  readonly value: ReactNode
  readonly word?: string
  readonly tone?: Effect['tone']
  /** Explains what the figure includes, or why there is no figure. */
  readonly children: ReactNode
}

function Figure({ label, value, word = '', tone = 'even', children }: FigureProps) {
  return (
    <div className={styles.effect}>
      <dt>{label}</dt>
      <dd>
        <span className={`${styles.amount} ${styles[tone]}`}>
          {value}
          {word !== '' && <span>, {word}</span>}
        </span>
        <span className={styles.muted}>{children}</span>
      </dd>
    </div>
  )
}

function PerCall({ decision }: Props) {
  const { cost_delta_usd: usd, latency_delta_ms: ms, quality_delta: quality, state } = decision
  const isDisabled = state === 'disabled'
  // A disabled rule has no effect, so its last measurement is neither good nor bad.
  const [cost, latency] = [describeCostDelta(usd), describeLatencyDelta(ms)].map((effect) =>
    isDisabled ? { ...effect, word: '', tone: 'even' as const } : effect,
  ) as [Effect, Effect]
  const isMeasured = state !== 'proposed'
  const unmeasured = 'Nothing is measured before the rule is in shadow.'
  return (
    <>
      <Figure
        label={isDisabled ? 'Cost, while it was measured' : 'Cost'}
        value={<span data-cost={usd}>{cost.amount}</span>}
        word={cost.word}
        tone={cost.tone}
      >
        {usd !== null
          ? 'The cost of a call of the tool, less the cost of prompt caches that must be written again and of wrong served results. The cost of held-out calls is not deducted.'
          : isMeasured
            ? 'No execution of the tool reports its cost, and too few calls show what prompt caching would lose.'
            : unmeasured}
      </Figure>
      <Figure
        label={isDisabled ? 'Duration, while it was measured' : 'Duration'}
        value={<span data-latency={ms}>{latency.amount}</span>}
        word={latency.word}
        tone={latency.tone}
      >
        {ms !== null
          ? 'The median time to fetch a stored result, compared with the median time of the tool. If nothing was served yet, fetching counts as 25 ms.'
          : isMeasured
            ? 'No real execution of the tool reports its duration.'
            : unmeasured}
      </Figure>
      <Figure
        label="Quality"
        value={quality === null ? missing : `${quality > 0 ? '+' : ''}${exact(quality)}`}
        word={quality === null ? '' : quality === 0 ? 'no change' : quality > 0 ? 'better' : 'worse'}
        tone={quality === null || quality === 0 ? 'even' : quality > 0 ? 'good' : 'bad'}
      >
        {quality === null
          ? 'This requires evaluation scores of five served traces and of five other traces.'
          : 'The mean evaluation score of traces that were served, less that of the others.'}
      </Figure>
    </>
  )
}

function Monthly({ decision }: Props) {
  const score = readScore(decision)
  const proposal = readProposal(decision)
  const measured = decision.state === 'active' ? (score?.monthlyUsd ?? null) : null
  const usd = measured ?? proposal?.monthlyUsd ?? null
  const isDisabled = decision.state === 'disabled'
  // A disabled rule serves nothing, so what it was expected to save does not count as a saving.
  const tone = isDisabled ? 'even' : describeSaving(usd).tone
  return (
    <Figure label={isDisabled ? 'Was expected a month' : 'Expected a month'} value={formatUsd(usd)} tone={tone}>
      {isDisabled && 'The rule is disabled and saves nothing now. '}
      {measured !== null
        ? `30 times the daily mean of the ${exact(score?.observedDays ?? 0)} days in which it has served.`
        : usd !== null && proposal !== null
          ? `30 times the daily mean of ${describeBasis(proposal)}${atAge(decision)}.`
          : proposal?.seenUsd != null
            ? `Less than a day was observed: in ${wordDays(proposal.observed?.days ?? 0)} it would have saved ${formatUsd(proposal.seenUsd)}.`
            : 'No price of the calls is known, or less than a day was observed.'}
    </Figure>
  )
}

/** The age limit by which a saving is expected. A rule that is proven for a lower one saves less. */
function atAge(decision: Decision): string {
  const { freshnessS } = readConfig(decision)
  if (decision.type !== 'reuse_identity' || freshnessS === null) return ''
  return `, if results up to ${nameAge(freshnessS)} old are served; with a lower age limit it is less`
}

const dayMs = 86_400_000
const wordDays = (days: number): string => formatDuration(days * dayMs)

function Achieved({ activatedAt, ...of }: NetOf & { readonly activatedAt: string }) {
  const { data, error, refetch } = useQuery(netQuery(of))
  if (error !== null) return <ErrorNote error={error} onRetry={() => void refetch()} />
  const net = describeSaving(data?.net_usd ?? null)
  return (
    <Figure
      label="Achieved so far, net"
      value={data === undefined ? '…' : <span data-net={data.net_usd}>{net.amount}</span>}
      word={net.word}
      tone={net.tone}
    >
      {data !== undefined && (
        <>
          {formatUsd(data.gross_usd)} that {formatCount(data.served_calls)} served calls would have cost, less{' '}
          {formatUsd(data.cache_loss_usd)} of prompt caches and {formatUsd(data.wrong_cost_usd)} of wrong results.{' '}
          {countOf(data.holdout_calls, 'call')} {data.holdout_calls === 1 ? 'was' : 'were'} held out (
          {formatUsd(data.holdout_cost_usd)} not saved). {formatDuration(data.latency_saved_ms)} of waiting saved.{' '}
          {of.decision.state === 'active' ? 'Active since' : 'Last activated'} <Time time={activatedAt} precision="s" />
          .
        </>
      )}
    </Figure>
  )
}
