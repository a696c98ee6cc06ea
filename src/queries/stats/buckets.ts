// The buckets of a time series: their length and their start times.
import { z } from 'zod'
import { type Outcome, ok, refuse } from '../../base/outcome.ts'
import { tiers } from '../../rollups/tiers.ts'
import type { Database } from '../../store/database.ts'
import { readSqlstate } from '../../store/sqlstate.ts'
import { nameForPostgres } from '../../web/time-zone.ts'
import type { Window } from '../window.ts'

const intervals = { '1m': 60, '5m': 300, '15m': 900, '1h': 3_600, '6h': 21_600, '1d': 86_400 } as const
export type Interval = keyof typeof intervals
const intervalNames = ['auto', '1m', '5m', '15m', '1h', '6h', '1d'] as const

export type Buckets = {
  /** In seconds. A day on which the clock changes is longer or shorter. */
  readonly intervalS: number
  /** The starts, in Unix milliseconds, in order. */
  readonly startsMs: readonly number[]
}

/** The tiers of the rows that make up the inner buckets of a chart. */
export const chartTiers = [tiers.hour, tiers.day]

const maxBuckets = 2_000
const maxAutoBuckets = 300

/** The query parameter. */
export const intervalParam = z
  .enum(intervalNames)
  .default('auto')
  .meta({ description: `auto: the shortest interval that gives at most ${maxAutoBuckets} buckets` })

// invalid_parameter_value: PostgreSQL's error for an unknown time zone.
const unknownTimeZone = '22023'

/**
 * Divides a window into buckets: aligned to the Unix epoch, or days to midnight in the time zone. `auto` chooses the shortest interval that
 * gives at most 300 buckets.
 */
export async function layBuckets(
  db: Database,
  window: Window,
  wanted: Interval | 'auto',
  timeZone: string,
): Promise<Outcome<Buckets, 'too_many_buckets' | 'time_zone_unknown'>> {
  const interval = wanted === 'auto' ? chooseInterval(window) : wanted
  const intervalS = intervals[interval]
  if (countBuckets(window, intervalS) > maxBuckets) return refuse('too_many_buckets')
  if (interval !== '1d') return ok({ intervalS, startsMs: listStarts(window, intervalS * 1_000) })
  const startsMs = await listDays(db, window, timeZone)
  return startsMs === null ? refuse('time_zone_unknown') : ok({ intervalS, startsMs })
}

function chooseInterval(window: Window): Interval {
  const names = Object.keys(intervals) as Interval[]
  return names.find((name) => countBuckets(window, intervals[name]) <= maxAutoBuckets) ?? '1d'
}

function countBuckets({ from, to }: Window, intervalS: number): number {
  const lengthMs = intervalS * 1_000
  return Math.ceil(to.getTime() / lengthMs) - Math.floor(from.getTime() / lengthMs)
}

function listStarts(window: Window, lengthMs: number): number[] {
  const firstMs = Math.floor(window.from.getTime() / lengthMs) * lengthMs
  return Array.from({ length: countBuckets(window, lengthMs / 1_000) }, (_, at) => firstMs + at * lengthMs)
}

/** Returns null if the database does not know the time zone, even if this runtime does. */
async function listDays(db: Database, { from, to }: Window, timeZone: string): Promise<number[] | null> {
  try {
    const rows = await db.rows<{ day: Date }>('queries/list-days', [from, to, nameForPostgres(timeZone)])
    return rows.map(({ day }) => day.getTime())
  } catch (error) {
    if (readSqlstate(error) === unknownTimeZone) return null
    throw error
  }
}
