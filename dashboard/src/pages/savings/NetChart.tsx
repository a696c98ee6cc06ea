// The net savings over time, with marks at the times when rules began or ceased to serve.
import { useMemo } from 'react'
import type { Schemas } from '../../api/client.ts'
import { usePageWindow } from '../../app/page-window.tsx'
import { Chart } from '../../charts/index.ts'
import { Link, Time, useZone } from '../../ui/index.ts'
import { useChartWindow } from '../../window/use-chart-window.ts'
import { describeNet, type Moment, markMoments } from './facts.ts'
import styles from './savings.module.css'

type Props = { readonly savings: Schemas['Savings']; readonly moments: readonly Moment[] }

export function NetChart({ savings: { points, net_usd: net, interval_s: intervalS }, moments }: Props) {
  const zone = useZone()
  const { nowMs, window } = usePageWindow()
  const marks = useMemo(() => markMoments(moments, window), [moments, window])
  const { onSelect, onUndo } = useChartWindow()
  const x = useMemo(() => points.map(({ time }) => Date.parse(time)), [points])
  const series = useMemo(
    () => [
      { key: 'net', label: 'Net', slot: 3 as const, values: points.map((point) => point.net_usd) },
      { key: 'gross', label: 'Gross', slot: 1 as const, values: points.map((point) => point.gross_usd) },
    ],
    [points],
  )
  return (
    <>
      <Chart
        title="Net over time"
        summary={describeNet(points, net, zone, nowMs)}
        unit="usd"
        x={x}
        intervalMs={intervalS * 1_000}
        series={series}
        zone={zone}
        nowMs={nowMs}
        bounds={window}
        height={160}
        marks={marks}
        onSelect={onSelect}
        onUndo={onUndo}
      />
      {moments.length > 0 && (
        <ol className={styles.moments} aria-label="Marks of the chart">
          {moments.map(({ label, decisionId, what, toolName, ms }) => (
            <li key={label}>
              <b>{label}</b>{' '}
              <Link to="/w/$workspace_id/decisions/$decision_id" params={{ decision_id: decisionId }}>
                {toolName}
              </Link>{' '}
              {what} <Time time={new Date(ms).toISOString()} precision="s" />
            </li>
          ))}
        </ol>
      )}
    </>
  )
}
