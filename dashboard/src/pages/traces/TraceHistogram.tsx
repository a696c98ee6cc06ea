// The chart of traces and failures over the window. Dragging over it narrows the window.
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { usePageWindow } from '../../app/page-window.tsx'
import { Chart, describeSeries } from '../../charts/index.ts'
import { seriesQuery } from '../../stats/queries.ts'
import { Panel, useZone } from '../../ui/index.ts'
import type { Search } from '../../window/index.ts'
import { useChartWindow } from '../../window/use-chart-window.ts'
import { activeFilters, filterLabels, readTraceFilters } from './list-search.ts'

const height = 200
const plotHeight = 96
/** The filters that a time series supports. */
const countedFilters = new Set(['agent_id', 'model'])

export function TraceHistogram({ workspaceId }: { readonly workspaceId: string }) {
  const search: Search = useSearch({ strict: false })
  const { window, nowMs } = usePageWindow()
  const zone = useZone()
  const { onSelect, onUndo } = useChartWindow()
  const { agent_id: agentId, model } = readTraceFilters(search).filters
  const query = useQuery(seriesQuery({ workspaceId, window, agentId, model }, zone, 'none'))
  const points = query.data?.series[0]?.points
  const x = useMemo(() => points?.map(({ time }) => Date.parse(time)) ?? [], [points])
  const traces = useMemo(() => points?.map((point) => point.traces) ?? [], [points])
  const errors = useMemo(() => points?.map((point) => point.errors) ?? [], [points])
  const series = useMemo(
    () => [
      { key: 'traces', label: 'Running traces', values: traces, slot: 1 as const, isSummed: false },
      { key: 'errors', label: 'Failed spans', values: errors, slot: 2 as const },
    ],
    [traces, errors],
  )
  const uncounted = activeFilters(search).filter((name) => !countedFilters.has(name))
  const summary = [
    // A trace that spans several intervals counts in each of them, so a sum of traces would be too high.
    describeSeries({ what: 'Failed spans', unit: 'count', x, values: errors, zone, nowMs }),
    uncounted.length === 0
      ? ''
      : `Filters that this chart ignores: ${uncounted.map((name) => filterLabels[name]).join(', ')}.`,
  ].join(' ')
  return (
    <Panel height={height} isTitled={false} query={query} title="Over time">
      {({ interval_s: intervalS }) => (
        <Chart
          bounds={window}
          height={plotHeight}
          intervalMs={intervalS * 1_000}
          nowMs={nowMs}
          onSelect={onSelect}
          onUndo={onUndo}
          series={series}
          summary={summary}
          title="Running traces and failures"
          unit="count"
          x={x}
          zone={zone}
        />
      )}
    </Panel>
  )
}
