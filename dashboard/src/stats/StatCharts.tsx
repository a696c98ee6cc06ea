// The courses of cost, calls, durations and tokens, with one cursor over all of them.
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { usePageWindow } from '../app/page-window.tsx'
import { Chart, describeSeries, type Series, type Unit } from '../charts/index.ts'
import { ErrorNote, Skeleton, useSkeleton, useZone } from '../ui/index.ts'
import { useChartWindow } from '../window/use-chart-window.ts'
import { figures, readFigures, readGroups, readStarts, sumSeries, type Timeseries } from './figures.ts'
import { type StatsScope, seriesQuery } from './queries.ts'
import styles from './stats.module.css'

const chartHeight = 260

export function StatCharts({ scope }: { readonly scope: StatsScope }) {
  const zone = useZone()
  const whole = useQuery(seriesQuery(scope, 'none', zone))
  const models = useQuery(seriesQuery(scope, 'model', zone))
  const family = `${scope.workspaceId}/model`
  return (
    <div className={styles.charts}>
      <StatChart
        query={models}
        title="Cost by model"
        what="Cost"
        unit="usd"
        form="bars"
        read={(data) => readGroups(data, (point) => point.cost_usd, family)}
      />
      <StatChart
        query={whole}
        title="Calls and errors"
        what="LLM calls"
        unit="count"
        read={(data) => readFigures(data, figures.calls)}
      />
      <StatChart
        query={whole}
        title="Duration"
        what="p95 duration"
        unit="ms"
        read={(data) => readFigures(data, figures.durations)}
      />
      <StatChart
        query={whole}
        title="Tokens"
        what="Tokens"
        unit="tokens"
        form="bars"
        read={(data) => readFigures(data, figures.tokens)}
      />
    </div>
  )
}

type StatChartProps = {
  readonly query: UseQueryResult<Timeseries>
  readonly title: string
  /** What the sentence speaks of: the sum of bars, else the series that counts most. */
  readonly what: string
  readonly unit: Unit
  readonly form?: 'lines' | 'bars'
  readonly read: (data: Timeseries) => readonly Series[]
}

function StatChart({ query, ...rest }: StatChartProps) {
  const phase = useSkeleton(query.isPending)
  if (query.error !== null && query.data === undefined) {
    return <ErrorNote error={query.error} onRetry={() => void query.refetch()} />
  }
  if (phase !== 'content' || query.data === undefined) {
    return phase === 'skeleton' ? <Skeleton height={chartHeight} /> : <div style={{ height: chartHeight }} />
  }
  return (
    <div className={query.isPlaceholderData ? styles.stale : ''} aria-busy={query.isPlaceholderData}>
      <Drawn data={query.data} {...rest} />
    </div>
  )
}

function Drawn({
  data,
  title,
  what,
  unit,
  form = 'lines',
  read,
}: Omit<StatChartProps, 'query'> & { readonly data: Timeseries }) {
  const zone = useZone()
  const { nowMs } = usePageWindow()
  const { onSelect, onUndo } = useChartWindow()
  const x = useMemo(() => readStarts(data), [data])
  // `read` is made anew by each render of the page, and gives the same for the same data.
  const series = useMemo(() => read(data), [data])
  const told =
    form === 'bars' ? sumSeries(series, x.length) : (series.find(({ label }) => what.startsWith(label))?.values ?? [])
  return (
    <Chart
      title={title}
      summary={describeSeries({ what, unit, x, values: told, zone, nowMs })}
      unit={unit}
      x={x}
      intervalMs={data.interval_s * 1_000}
      series={series}
      zone={zone}
      nowMs={nowMs}
      form={form}
      syncKey="stats"
      onSelect={onSelect}
      onUndo={onUndo}
    />
  )
}
