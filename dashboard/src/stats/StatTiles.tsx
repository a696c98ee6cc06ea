// The figures of a window, each with its change against the window before and its course.
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { usePageWindow } from '../app/page-window.tsx'
import { describeSeries, formatShort, formatWhole, Sparkline, type Unit, type Value } from '../charts/index.ts'
import { describeSaving, explainUnpriced, formatChange, formatShare, formatUsdSum } from '../format/index.ts'
import { ErrorNote, Tile, useZone } from '../ui/index.ts'
import { type Bounds } from '../window/index.ts'
import { countUnpriced, type Point, readStarts } from './figures.ts'
import { breakdownQuery, type StatsScope, seriesQuery, summaryQuery } from './queries.ts'
import styles from './stats.module.css'

type Props = {
  readonly scope: StatsScope
  /** Further tiles. */
  readonly children?: ReactNode
}

/** The window of the same length that ends where this one begins. */
function findBefore({ from, to }: Bounds): Bounds {
  const fromMs = Date.parse(from)
  return { from: new Date(2 * fromMs - Date.parse(to)).toISOString(), to: from }
}

export function StatTiles({ scope, children }: Props) {
  const zone = useZone()
  const now = useQuery(summaryQuery(scope))
  const before = useQuery(summaryQuery({ ...scope, bounds: findBefore(scope.bounds) }))
  const course = useQuery(seriesQuery(scope, 'none', zone))
  const models = useQuery(breakdownQuery(scope, 'model'))
  const { data: sums } = now
  const past = before.data ?? null
  const unpriced = models.data === undefined ? 0 : countUnpriced(models.data)
  const line = (what: string, unit: Unit, read: (point: Point) => Value): ReactNode =>
    course.data === undefined ? null : <Course what={what} unit={unit} read={read} course={course.data} zone={zone} />
  if (now.error !== null) return <ErrorNote error={now.error} onRetry={() => void now.refetch()} />
  const saving = describeSaving(sums?.estimated_cache_savings_usd ?? null)
  return (
    <dl className={styles.tiles}>
      <Tile
        label="Cost"
        value={formatUsdSum(sums?.cost_usd ?? null, unpriced)}
        exact={[formatWhole('usd', sums?.cost_usd ?? null), explainUnpriced(unpriced)].filter(Boolean).join(', ')}
        change={showChange(sums?.cost_usd, past?.cost_usd)}
      >
        {line('Cost', 'usd', (point) => point.cost_usd)}
      </Tile>
      <Tile
        label="LLM calls"
        value={formatShort('count', sums?.llm_calls ?? null)}
        change={showChange(sums?.llm_calls, past?.llm_calls)}
      >
        {line('LLM calls', 'count', (point) => point.llm_calls)}
      </Tile>
      <Tile
        label="Error rate"
        value={sums === undefined ? '—' : formatShare(sums.errors, sums.total_events)}
        exact={sums === undefined ? undefined : `${sums.errors} errors in ${sums.total_events} spans`}
        change={showRateBefore(past)}
      >
        {line('Errors', 'count', (point) => point.errors)}
      </Tile>
      <Tile
        label="p50 duration"
        value={formatShort('ms', durationOf(sums, sums?.p50_duration_ms))}
        change={showChange(sums?.p50_duration_ms, past?.p50_duration_ms)}
      >
        {line('p50 duration', 'ms', (point) => (point.events === 0 ? null : point.p50_duration_ms))}
      </Tile>
      <Tile
        label="p95 duration"
        value={formatShort('ms', durationOf(sums, sums?.p95_duration_ms))}
        change={showChange(sums?.p95_duration_ms, past?.p95_duration_ms)}
      >
        {line('p95 duration', 'ms', (point) => (point.events === 0 ? null : point.p95_duration_ms))}
      </Tile>
      <Tile
        label="Prompt caching"
        value={<span className={styles[saving.tone]}>{saving.amount}</span>}
        exact={formatWhole('usd', sums?.estimated_cache_savings_usd ?? null)}
        change={saving.word}
      />
      {children}
    </dl>
  )
}

const showRateBefore = (past: { readonly errors: number; readonly total_events: number } | null): string | null => {
  if (past === null) return null
  return past.total_events === 0
    ? 'nothing before'
    : `${formatShare(past.errors, past.total_events)} in the window before`
}

const durationOf = (sums: { readonly total_events: number } | undefined, ms: number | undefined): Value =>
  sums === undefined || sums.total_events === 0 ? null : (ms ?? null)

function showChange(now: number | undefined, before: number | undefined): string | null {
  const change = now === undefined || before === undefined ? null : formatChange(now, before)
  if (change === null) return before === 0 ? 'nothing before' : null
  return `${change.text} against the window before`
}

type CourseProps = {
  readonly what: string
  readonly unit: Unit
  readonly read: (point: Point) => Value
  readonly course: Parameters<typeof readStarts>[0]
  readonly zone: string
}

function Course({ what, unit, read, course, zone }: CourseProps) {
  const { nowMs } = usePageWindow()
  const values = (course.series[0]?.points ?? []).map(read)
  return (
    <Sparkline
      values={values}
      label={describeSeries({ what, unit, x: readStarts(course), values, zone, nowMs })}
      width={160}
    />
  )
}
