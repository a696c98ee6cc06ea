// The chart of the outcomes of spans by day.
import type { UseQueryResult } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Schemas } from '../../api/client.ts'
import { Chart, describeSeries } from '../../charts/index.ts'
import { Panel } from '../../ui/index.ts'
import { outcomes, sumOutcomes } from './outcomes.ts'

type Day = Schemas['UsageDay']
type Props = { readonly days: UseQueryResult<Schemas['UsageTimeseries']>; readonly nowMs: number }

const dayMs = 86_400_000

/** Renders nothing for a month without spans: the panel of outcomes says that there is none. */
export function HistoryPanel({ days, nowMs }: Props) {
  if (days.data !== undefined && sumOutcomes(days.data.points).received === 0) return null
  return (
    <Panel title="Day by day (UTC)" isTitled={false} query={days} height={300}>
      {({ points }) => <History points={points} nowMs={nowMs} />}
    </Panel>
  )
}

function History({ points, nowMs }: { readonly points: readonly Day[]; readonly nowMs: number }) {
  // Future days are left out: they get no bar, and no zero in the table.
  const begun = useMemo(() => points.filter(({ time }) => Date.parse(time) <= nowMs), [points, nowMs])
  const x = useMemo(() => begun.map(({ time }) => Date.parse(time)), [begun])
  const series = useMemo(
    () => outcomes.map(({ key, label, slot }) => ({ key, label, slot, values: begun.map((day) => day[key]) })),
    [begun],
  )
  const received = begun.map((day) => outcomes.reduce((sum, { key }) => sum + day[key], 0))
  const summary = describeSeries({ what: 'Spans received', unit: 'count', x, values: received, zone: 'UTC', nowMs })
  return (
    <Chart
      title="Spans received by day (UTC)"
      summary={summary}
      unit="count"
      x={x}
      intervalMs={dayMs}
      series={series}
      zone="UTC"
      nowMs={nowMs}
      form="bars"
    />
  )
}
