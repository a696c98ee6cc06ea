// Floor 3. The time series of a window, whole or by model, agent, tool or kind.
import { type Outcome, ok } from '../../base/outcome.ts'
import type { Database } from '../../store/database.ts'
import type { Window } from '../window.ts'
import { type Interval, layBuckets } from './buckets.ts'
import { type Point, type Sums, showSums } from './stats-shapes.ts'

export const groupings = ['none', 'model', 'agent', 'tool', 'kind'] as const

export type ChartQuery = {
  readonly workspaceId: string
  readonly window: Window
  readonly interval: Interval | 'auto'
  readonly timeZone: string
  readonly agentId: string | undefined
  readonly kind: string | undefined
  readonly model: string | undefined
  readonly groupBy: (typeof groupings)[number]
  /** How many series stand alone. */
  readonly top: number
}

export type Chart = { readonly intervalS: number; readonly series: { key: string; label: string; points: Point[] }[] }

type PointRow = Sums & {
  bucket: Date
  key: string | null
  agent_name: string | null
  traces: number
  cache_write_tokens: number
}

type Deps = { readonly db: Database }

/** Every series has a point for every bucket. The largest series come first, by the sum of what they were chosen by. */
export async function chart(
  { db }: Deps,
  query: ChartQuery,
): Promise<Outcome<Chart, 'too_many_buckets' | 'time_zone_unknown'>> {
  const { window, groupBy } = query
  const buckets = await layBuckets(db, window, query.interval, query.timeZone)
  if (!buckets.ok) return buckets
  const { intervalS, startsMs } = buckets.value
  const rows = await db.rows<PointRow>('observe/chart', [
    query.workspaceId,
    window.from,
    window.to,
    query.agentId ?? null,
    `${intervalS} seconds`,
    query.timeZone,
    query.kind ?? null,
    query.model ?? null,
    groupBy,
    query.top,
  ])
  const byKey = Map.groupBy(rows, ({ key }) => key)
  if (groupBy === 'none' && byKey.size === 0) byKey.set('all', [])
  const measure = (row: PointRow): number => (groupBy === 'model' ? row.cost_usd : row.events)
  const size = (points: readonly PointRow[]): number => points.reduce((sum, row) => sum + measure(row), 0)
  const ordered = [...byKey].sort(([a, ofA], [b, ofB]) =>
    a === null || b === null ? Number(a === null) - Number(b === null) : size(ofB) - size(ofA),
  )
  const series = ordered.map(([key, points]) => ({
    key: key ?? 'other',
    label: points[0]?.agent_name ?? key ?? 'other',
    points: fill(startsMs, points),
  }))
  return ok({ intervalS, series })
}

const zero: Sums = {
  events: 0,
  llm_calls: 0,
  tool_calls: 0,
  served_calls: 0,
  errors: 0,
  input_tokens: 0,
  output_tokens: 0,
  cached_tokens: 0,
  cost_usd: 0,
  p50_duration_ms: 0,
  p95_duration_ms: 0,
}

function fill(startsMs: readonly number[], rows: readonly PointRow[]): Point[] {
  const byStart = new Map(rows.map((row) => [row.bucket.getTime(), row]))
  return startsMs.map((startMs) => {
    const row = byStart.get(startMs) ?? { ...zero, traces: 0, cache_write_tokens: 0 }
    return {
      time: new Date(startMs).toISOString(),
      ...showSums(row),
      traces: row.traces,
      cache_write_tokens: row.cache_write_tokens,
    }
  })
}
