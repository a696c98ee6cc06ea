// The time window of a read: half-open, on the start of events. Default: the last day.
import { ifValid, pairFault, timestamp } from '../web/shapes.ts'

/** Microseconds since 1970, the resolution of times in PostgreSQL. */
export type ExactWindow = { readonly fromUs: number; readonly toUs: number }

export type Window = {
  readonly from: Date
  readonly to: Date
  /** The requested bounds, which may lie within a millisecond: `from` and `to` are rounded outwards. */
  readonly exact?: ExactWindow
}

/** The window parameters of a request, in microseconds: both, one or none. */
export type GivenWindow = { readonly from_time?: number | undefined; readonly to_time?: number | undefined }

const dayUs = 86_400_000_000
const defaultUs = dayUs
const maxDays = 400
// Times with other years than 0000 to 9999 have another format. The first day is left out, so that the midnight before a window has it too,
// in any time zone.
const firstUs = Date.parse('0000-01-02T00:00:00Z') * 1_000
const lastUs = Date.parse('9999-12-31T23:59:59.999Z') * 1_000
const clampUs = (timeUs: number): number => Math.min(Math.max(firstUs, timeUs), lastUs)
const bound = timestamp.transform(clampUs).meta({ type: 'string', format: 'date-time' })

/** The two query parameters of all reads with a window. */
export const windowFields = {
  from_time: bound
    .optional()
    .meta({ description: 'Start of the window, included, to the microsecond. Default: one day before its end' }),
  to_time: bound.optional().meta({ description: 'End of the window, excluded, to the microsecond. Default: now' }),
}

/** Resolves the parameters to a window at `nowMs`, to the microsecond. The window is not checked yet. */
export function resolveExact(given: GivenWindow, nowMs: number): ExactWindow {
  // The clock of the database has fractions of a millisecond.
  const toUs = given.to_time ?? Math.floor(nowMs) * 1_000
  return { fromUs: given.from_time ?? clampUs(toUs - defaultUs), toUs }
}

/** The same for reads with millisecond resolution. */
export function resolveWindow(given: GivenWindow, nowMs: number): Window {
  const exact = resolveExact(given, nowMs)
  return { from: new Date(Math.floor(exact.fromUs / 1_000)), to: new Date(Math.ceil(exact.toUs / 1_000)), exact }
}

/** Formats a time in microseconds for PostgreSQL. Times before 1970 are clamped to 1970, since no span starts earlier. */
export function showTimeUs(timeUs: number): string {
  const us = Math.max(0, timeUs)
  // From the year 2255 on microseconds exceed the exact integers, and only the remainder is exact.
  const rest = us % 1_000
  const ms = Math.round((us - rest) / 1_000)
  return new Date(ms).toISOString().replace('Z', `${String(rest).padStart(3, '0')}Z`)
}

type Issues = { addIssue(issue: ReturnType<typeof pairFault>): void }

export const windowFaults = {
  window_empty: 'from_time should be earlier than to_time',
  window_long: `The window should be at most ${maxDays} days long`,
} as const
type WindowFault = keyof typeof windowFaults

/** Returns the fault of a window: empty, reversed, or longer than 400 days; null: none. */
export function findWindowFault(given: GivenWindow, nowMs: number): WindowFault | null {
  const { fromUs, toUs } = resolveExact(given, nowMs)
  if (fromUs >= toUs) return 'window_empty'
  return toUs - fromUs > maxDays * dayUs ? 'window_long' : null
}

/**
 * Returns the arguments of `superRefine` for a query with a window. The check is skipped with a cursor: its window was checked with the first
 * page, and one up to now has grown since.
 */
export function makeWindowCheck(nowMs: () => number) {
  const check = (given: GivenWindow & { readonly cursor?: string | undefined }, ctx: Issues): void => {
    const fault = given.cursor === undefined ? findWindowFault(given, nowMs()) : null
    if (fault === null) return
    const message = windowFaults[fault]
    ctx.addIssue(pairFault('from_time', 'value_error', message, { error: message }))
  }
  return [check, ifValid] as const
}
