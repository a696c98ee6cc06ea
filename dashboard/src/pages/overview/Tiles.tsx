// The figures of the window, how they changed against the window before, and their course.
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Schemas } from '../../api/client.ts'
import { Sparkline } from '../../charts/index.ts'
import {
  exact,
  explainUnpriced,
  formatChange,
  formatDuration,
  formatShare,
  formatSignedUsd,
  formatTokens,
  formatUsdExact,
  formatUsdSum,
} from '../../format/index.ts'
import { Panel, Tile, useZone } from '../../ui/index.ts'
import { countUnpriced, windowBefore } from './facts.ts'
import styles from './overview.module.css'
import { breakdownQuery, type Scope, savingsQuery, seriesQuery, summaryQuery } from './queries.ts'

const height = 132

export function Tiles({ scope }: { readonly scope: Scope }) {
  const zone = useZone()
  const summary = useQuery(summaryQuery(scope))
  const { data: before } = useQuery(summaryQuery({ ...scope, window: windowBefore(scope.window) }))
  const { data: series } = useQuery(seriesQuery(scope, zone, 'none'))
  const { data: models } = useQuery(breakdownQuery(scope, 'model'))
  const savings = useQuery(savingsQuery(scope))
  const points = series?.series[0]?.points ?? []
  const unpriced = models === undefined ? 0 : countUnpriced(models)
  return (
    <Panel title="Totals" query={summary} height={height}>
      {(now) => (
        <dl className={styles.tiles}>
          <Tile
            label="Cost"
            value={formatUsdSum(now.cost_usd, unpriced)}
            exact={[formatUsdExact(now.cost_usd), explainUnpriced(unpriced)].filter(Boolean).join(', ')}
            change={<Change now={now.cost_usd} before={before?.cost_usd} />}
          >
            <Course what="Cost" points={points} read={(point) => point.cost_usd} />
          </Tile>
          <Tile
            label="LLM calls"
            value={formatTokens(now.llm_calls)}
            exact={exact(now.llm_calls)}
            change={<Change now={now.llm_calls} before={before?.llm_calls} />}
          >
            <Course what="LLM calls" points={points} read={(point) => point.llm_calls} />
          </Tile>
          <Tile
            label="Error rate"
            value={formatShare(now.errors, now.total_events)}
            exact={`${exact(now.errors)} failures in ${exact(now.total_events)} events`}
            change={<Change now={errorRate(now)} before={before === undefined ? undefined : errorRate(before)} />}
          >
            <Course what="Failures" points={points} read={(point) => point.errors} />
          </Tile>
          <Tile
            label="Duration, p50"
            value={formatDuration(now.p50_duration_ms)}
            exact={`${exact(now.p50_duration_ms)} ms`}
            change={<Change now={now.p50_duration_ms} before={before?.p50_duration_ms} />}
          >
            <Course what="Median duration" points={points} read={(point) => point.p50_duration_ms} />
          </Tile>
          <Tile
            label="Duration, p95"
            value={formatDuration(now.p95_duration_ms)}
            exact={`${exact(now.p95_duration_ms)} ms`}
            change={<Change now={now.p95_duration_ms} before={before?.p95_duration_ms} />}
          >
            <Course what="95th percentile of durations" points={points} read={(point) => point.p95_duration_ms} />
          </Tile>
          <Tile
            label="Saved by prompt caching"
            value={formatSignedUsd(now.estimated_cache_savings_usd)}
            exact={formatUsdExact(now.estimated_cache_savings_usd)}
            change={<Change now={now.estimated_cache_savings_usd} before={before?.estimated_cache_savings_usd} />}
          >
            <Course what="Cached tokens" points={points} read={(point) => point.cached_tokens} />
          </Tile>
          <NetSavings savings={savings.data} />
        </dl>
      )}
    </Panel>
  )
}

const errorRate = ({ errors, total_events: events }: Schemas['StatsSummary']): number =>
  events === 0 ? 0 : errors / events

function NetSavings({ savings }: { readonly savings: Schemas['Savings'] | undefined }) {
  if (savings === undefined) return <Tile label="Saved by rules, net" value="…" />
  const { net_usd: netUsd, served_calls: served, points } = savings
  const word = netUsd < 0 ? 'costs more than it saves' : `${exact(served)} calls served`
  return (
    <Tile
      label="Saved by rules, net"
      value={<span className={netUsd < 0 ? styles.loss : ''}>{formatSignedUsd(netUsd)}</span>}
      exact={formatUsdExact(netUsd)}
      change={served === 0 ? 'no call was served' : word}
    >
      <Sparkline values={points.map((point) => point.net_usd)} label="Net savings over the window" />
    </Tile>
  )
}

/** Against the window before; nothing where that had none. */
function Change({ now, before }: { readonly now: number; readonly before: number | undefined }): ReactNode {
  const change = before === undefined ? null : formatChange(now, before)
  if (change === null) return null
  return <span title="Against the window of the same length before this one">{change.text} against before</span>
}

type Point = Schemas['StatsPoint']

function Course({
  what,
  points,
  read,
}: {
  readonly what: string
  readonly points: readonly Point[]
  readonly read: (point: Point) => number
}) {
  return <Sparkline values={points.map(read)} label={`${what} over the window`} />
}
