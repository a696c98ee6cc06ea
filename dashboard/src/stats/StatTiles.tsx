// The figures of the window, each with its change since the previous window and a sparkline.
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Schemas } from '../api/client.ts'
import { Sparkline } from '../charts/index.ts'
import {
  countOf,
  exact,
  explainUnpriced,
  formatChange,
  formatCount,
  formatDuration,
  formatShare,
  formatSignedUsd,
  formatTokens,
  formatUsdExact,
  formatUsdSum,
} from '../format/index.ts'
import { Link, QueryErrors, Tile, useLastData, useZone } from '../ui/index.ts'
import { durationOf, windowBefore } from './facts.ts'
import { costMeaning } from './meanings.ts'
import { type Scope, savingsQuery, seriesQuery, summaryQuery } from './queries.ts'
import styles from './stats.module.css'

type Summary = Schemas['StatsSummary']
type Point = Schemas['StatsPoint']

type Figure = {
  readonly label: string
  /** Returns null if the window has no value. */
  readonly read: (summary: Summary) => number | null
  readonly show: (summary: Summary) => string
  readonly exact: (summary: Summary) => string
  /** Whether the figure lacks the calls that have no price. */
  readonly isPriced?: boolean
  /** The sparkline below the figure, and what it shows. */
  readonly course: { readonly what: string; readonly read: (point: Point) => number | null }
}

const figures: readonly Figure[] = [
  {
    label: 'Model cost',
    read: ({ cost_usd: cost }) => cost,
    show: ({ cost_usd: cost, unpriced_calls: unpriced }) => formatUsdSum(cost, unpriced),
    exact: ({ cost_usd: cost, unpriced_calls: unpriced }) =>
      `${[formatUsdExact(cost), explainUnpriced(unpriced)].filter(Boolean).join(', ')}. ${costMeaning}`,
    isPriced: true,
    course: { what: 'Cost', read: (point) => point.cost_usd },
  },
  {
    label: 'LLM calls',
    read: ({ llm_calls: calls }) => calls,
    show: ({ llm_calls: calls }) => formatTokens(calls),
    exact: ({ llm_calls: calls }) => exact(calls),
    course: { what: 'LLM calls', read: (point) => point.llm_calls },
  },
  {
    label: 'Error rate of spans',
    read: ({ errors, total_events: events }) => (events === 0 ? null : errors / events),
    show: ({ errors, total_events: events }) => formatShare(errors, events),
    exact: ({ errors, total_events: events }) => `${formatCount(errors)} of ${formatCount(events)} spans failed`,
    course: { what: 'Failed spans', read: (point) => point.errors },
  },
  {
    label: 'Span duration, p50',
    read: ({ p50_duration_ms: ms, total_events: events }) => durationOf(ms, { events }),
    show: ({ p50_duration_ms: ms, total_events: events }) => formatDuration(durationOf(ms, { events })),
    exact: (summary) => explainQuantile(summary.p50_duration_ms, summary, 'half'),
    course: { what: 'Median duration', read: (point) => durationOf(point.p50_duration_ms, point) },
  },
  {
    label: 'Span duration, p95',
    read: ({ p95_duration_ms: ms, total_events: events }) => durationOf(ms, { events }),
    show: ({ p95_duration_ms: ms, total_events: events }) => formatDuration(durationOf(ms, { events })),
    exact: (summary) => explainQuantile(summary.p95_duration_ms, summary, '95 %'),
    course: { what: '95th percentile of durations', read: (point) => durationOf(point.p95_duration_ms, point) },
  },
  {
    label: 'Saved by caching',
    read: ({ estimated_cache_savings_usd: usd }) => usd,
    show: ({ estimated_cache_savings_usd: usd }) => formatSignedUsd(usd),
    exact: ({ estimated_cache_savings_usd: usd }) => formatUsdExact(usd),
    course: { what: 'Cached tokens', read: (point) => point.cached_tokens },
  },
]

const explainQuantile = (ms: number, { total_events: events }: Summary, share: string): string =>
  events === 0 ? '' : `${exact(ms)} ms, ${share} of all spans took less`

/** The tiles are rendered before their figures are loaded, so that the layout does not shift. */
export function StatTiles({ scope }: { readonly scope: Scope }) {
  const zone = useZone()
  const summary = useQuery(summaryQuery(scope))
  // Rules are not split by agent.
  const hasSavings = scope.agentId === undefined
  const savings = useQuery({ ...savingsQuery(scope), enabled: hasSavings })
  const { data, error, isPending, isPlaceholderData } = summary
  const now = useLastData(data)
  const earlier = useQuery(summaryQuery({ ...scope, window: windowBefore(scope.window) }))
  const change = useChange(scope, summary, earlier)
  const series = useLastData(useQuery(seriesQuery(scope, zone, 'none')).data)
  const points = series?.series[0]?.points ?? []
  const unpriced = now?.unpriced_calls ?? 0
  return (
    <section aria-labelledby="totals" aria-busy={isPending || isPlaceholderData}>
      <h2 id="totals" className="visually-hidden">
        Totals
      </h2>
      <QueryErrors queries={[summary, earlier, savings]} />
      <dl
        className={
          isPlaceholderData || (error !== null && data === undefined) ? `${styles.tiles} ${styles.stale}` : styles.tiles
        }
      >
        {figures.map(({ label, read, show, exact: showExact, course, isPriced }) => (
          <Tile
            key={label}
            label={label}
            value={now === undefined ? '…' : show(now)}
            exact={now === undefined ? undefined : showExact(now)}
            change={
              <>
                {change !== null && <Change now={read(change.now)} before={read(change.before)} />}
                {isPriced && unpriced > 0 && <Unpriced calls={unpriced} />}
              </>
            }
          >
            <Sparkline values={points.map(course.read)} label={`${course.what} over the window`} />
          </Tile>
        ))}
        {hasSavings && <NetSavings savings={savings.data} />}
      </dl>
      <p className={styles.units}>{now !== undefined && <UnitCosts now={now} change={change} />}</p>
    </section>
  )
}

/** The figures of a window and of the one before it, which has the same length. */
type Compared = { readonly now: Summary; readonly before: Summary }

type Read = Pick<UseQueryResult<Summary>, 'data' | 'isPlaceholderData'>

/**
 * Returns the newest figures that can be compared, or null. Those of a moving window are kept while the next ones load, since the change
 * would otherwise vanish at each tick; those of another length or agent are not.
 */
function useChange({ agentId, window: { from, to } }: Scope, now: Read, before: Read): Compared | null {
  const shape = `${agentId} ${Date.parse(to) - Date.parse(from)}`
  const [last, setLast] = useState<(Compared & { readonly shape: string }) | null>(null)
  const { data: one, isPlaceholderData: isOld } = now
  const { data: other, isPlaceholderData: isOtherOld } = before
  const isNew =
    one !== undefined && other !== undefined && !isOld && !isOtherOld && (last?.now !== one || last.before !== other)
  if (isNew) setLast({ now: one, before: other, shape })
  return last?.shape === shape ? last : null
}

/** Explains why the amount begins with ≥. It is always visible, because a title is shown on hover only. */
const Unpriced = ({ calls }: { readonly calls: number }) => (
  <Link className={styles.unpriced} to="/w/$workspace_id/telemetry" search={{ agent_id: null }}>
    {explainUnpriced(calls)}
  </Link>
)

function NetSavings({ savings: current }: { readonly savings: Schemas['Savings'] | undefined }) {
  const savings = useLastData(current)
  const net = savings?.net_usd ?? 0
  return (
    <Tile
      label="Saved by rules, net"
      value={savings === undefined ? '…' : <span className={net < 0 ? styles.loss : ''}>{formatSignedUsd(net)}</span>}
      exact={savings === undefined ? undefined : formatUsdExact(net)}
      change={savings !== undefined && describeServed(savings)}
    >
      <Sparkline
        values={savings?.points.map((point) => point.net_usd) ?? []}
        label="Net savings by rules over the window"
      />
    </Tile>
  )
}

function describeServed({ served_calls: calls, net_usd: net }: Schemas['Savings']): string {
  if (calls === 0) return 'no call was served'
  const served = `${formatCount(calls)} ${calls === 1 ? 'call' : 'calls'} served`
  return net < 0 ? `${served}, at a loss` : served
}

/** Shows what a call and a trace cost, so that a higher price can be told from more calls. */
function UnitCosts({ now, change }: { readonly now: Summary; readonly change: Compared | null }) {
  const units = [
    ['LLM call', ({ llm_calls: calls }: Summary) => calls],
    ['trace', ({ traces }: Summary) => traces],
  ] as const
  return units
    .filter(([, count]) => count(now) > 0)
    .map(([unit, count], at) => {
      const cost = (summary: Summary): number | null =>
        count(summary) === 0 ? null : summary.cost_usd / count(summary)
      const dearer = change === null ? null : formatChange(cost(change.now), cost(change.before))
      const more = change === null ? null : formatChange(count(change.now), count(change.before))
      return (
        <span key={unit}>
          {at > 0 && ' · '}
          {formatUsdSum(cost(now) ?? 0, now.unpriced_calls)} per {unit}
          {dearer !== null && ` (${dearer.text})`}
          {unit === 'trace' && ` · ${countOf(count(now), 'trace')}${more === null ? '' : ` (${more.text})`}`}
        </span>
      )
    })
}

/** Renders nothing if there is no value to compare with. */
function Change({ now, before }: { readonly now: number | null; readonly before: number | null }): ReactNode {
  const change = formatChange(now, before)
  if (change === null) return null
  return <span title="Compared with the previous window of the same length">{change.text} vs. previous period</span>
}
