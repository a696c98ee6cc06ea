// Four charts of the window, which share their cursor. A drag on a chart sets the window of the page.
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Schemas } from '../api/client.ts'
import { usePageWindow } from '../app/page-window.tsx'
import { assignSlots, Chart, type ChartProps, describeSeries, type Series, type Unit } from '../charts/index.ts'
import { Panel, useZone } from '../ui/index.ts'
import { useChartWindow } from '../window/use-chart-window.ts'
import { durationOf, splitTokens } from './facts.ts'
import { type Scope, seriesQuery } from './queries.ts'
import styles from './stats.module.css'

type Timeseries = Schemas['StatsTimeseries']
type Point = Schemas['StatsPoint']
type Shared = Pick<ChartProps, 'intervalMs' | 'zone' | 'nowMs' | 'bounds' | 'syncKey' | 'onSelect' | 'onUndo'>

const height = 264
const plotHeight = 160
const syncKey = 'stats'
const noPoints: readonly Point[] = []

export function StatCharts({ scope }: { readonly scope: Scope }) {
  const zone = useZone()
  const { nowMs } = usePageWindow()
  const { onSelect, onUndo } = useChartWindow()
  const all = useQuery(seriesQuery(scope, zone, 'none'))
  const byModel = useQuery(seriesQuery(scope, zone, 'model'))
  const share = ({ interval_s: intervalS }: Timeseries): Shared => ({
    intervalMs: intervalS * 1_000,
    zone,
    nowMs,
    bounds: scope.window,
    syncKey,
    onSelect,
    onUndo,
  })
  return (
    <div className={styles.charts}>
      <Panel title="Cost by model" isTitled={false} query={byModel} height={height}>
        {(data) => <CostByModel data={data} shared={share(data)} family={`${scope.workspaceId}/model`} />}
      </Panel>
      {groups.map((group) => (
        <Panel key={group.title} title={group.title} isTitled={false} query={all} height={height}>
          {(data) => <Group group={group} points={data.series[0]?.points ?? noPoints} shared={share(data)} />}
        </Panel>
      ))}
    </div>
  )
}

type ChartGroup = {
  readonly title: string
  readonly unit: Unit
  readonly form: 'lines' | 'bars'
  readonly lines: readonly (Pick<Series, 'key' | 'label' | 'slot'> & {
    readonly read: (point: Point) => number | null
  })[]
}

const groups: readonly ChartGroup[] = [
  {
    title: 'Calls and failures',
    unit: 'count',
    form: 'lines',
    lines: [
      { key: 'llm', label: 'LLM calls', slot: 1, read: (point) => point.llm_calls },
      { key: 'tool', label: 'Tool calls', slot: 3, read: (point) => point.tool_calls },
      { key: 'errors', label: 'Failed spans', slot: 2, read: (point) => point.errors },
    ],
  },
  {
    title: 'Span durations',
    unit: 'ms',
    form: 'lines',
    lines: [
      { key: 'p50', label: 'p50', slot: 1, read: (point) => durationOf(point.p50_duration_ms, point) },
      { key: 'p95', label: 'p95', slot: 4, read: (point) => durationOf(point.p95_duration_ms, point) },
    ],
  },
  {
    title: 'Tokens',
    unit: 'tokens',
    form: 'bars',
    lines: [
      { key: 'fresh', label: 'Fresh input', slot: 1, read: (point) => splitTokens(point).fresh },
      { key: 'cached', label: 'Cached input', slot: 3, read: (point) => splitTokens(point).cached },
      { key: 'written', label: 'Written to cache', slot: 6, read: (point) => splitTokens(point).written },
      { key: 'output', label: 'Output', slot: 4, read: (point) => splitTokens(point).output },
    ],
  },
]

function Group({
  group,
  points,
  shared,
}: {
  readonly group: ChartGroup
  readonly points: readonly Point[]
  readonly shared: Shared
}) {
  const { title, unit, form, lines } = group
  const x = useStarts(points)
  const series = useMemo(
    () => lines.map(({ key, label, slot, read }) => ({ key, label, slot, values: points.map(read) })),
    [lines, points],
  )
  const summary = series
    .slice(0, 2)
    .map(({ label, values }) => describeSeries({ what: label, unit, values, x, ...pick(shared) }))
    .join(' ')
  return (
    <Chart
      {...shared}
      x={x}
      title={title}
      summary={summary}
      unit={unit}
      form={form}
      series={series}
      height={plotHeight}
    />
  )
}

function CostByModel({
  data,
  shared,
  family,
}: {
  readonly data: Timeseries
  readonly shared: Shared
  readonly family: string
}) {
  const x = useStarts(data.series[0]?.points ?? noPoints)
  const series = useMemo(() => {
    const slots = assignSlots(
      data.series.map(({ key }) => key),
      family,
    )
    return data.series.map(({ key, label, points }, at) => ({
      key,
      label,
      slot: slots[at] ?? 0,
      values: points.map((point) => point.cost_usd),
      unpriced: points.map((point) => point.unpriced_calls),
    }))
  }, [data, family])
  const values = addUp(x, series, 'values')
  const unpriced = addUp(x, series, 'unpriced')
  const summary = describeSeries({ what: 'Cost', unit: 'usd', values, unpriced, x, ...pick(shared) })
  return (
    <Chart
      {...shared}
      x={x}
      title="Cost by model"
      summary={summary}
      unit="usd"
      form="bars"
      series={series}
      height={plotHeight}
    />
  )
}

/** Returns the starts of the buckets. The array stays the same as long as the points do, since a chart with another one is drawn again. */
const useStarts = (points: readonly Point[]): readonly number[] =>
  useMemo(() => points.map(({ time }) => Date.parse(time)), [points])

/** Returns the sums of all series for each bucket. */
const addUp = <Name extends 'values' | 'unpriced'>(
  x: readonly number[],
  series: readonly Readonly<Record<Name, readonly number[]>>[],
  name: Name,
): number[] => x.map((_, at) => series.reduce((sum, one) => sum + (one[name][at] ?? 0), 0))

const pick = ({ zone, nowMs }: Shared): Pick<Shared, 'zone' | 'nowMs'> => ({ zone, nowMs })
