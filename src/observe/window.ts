// The window of time that a read looks at: half-open on the start of events, the last day unless told
// otherwise.
import { pairFault, timestamp } from '../web/shapes.ts'

/** In microseconds since 1970, as PostgreSQL keeps times. */
export type ExactWindow = { readonly fromUs: number; readonly toUs: number }

export type Window = {
  readonly from: Date
  readonly to: Date
  /** The bounds that were asked for, where they can lie inside of a millisecond: `from` and `to` are then rounded outwards. */
  readonly exact?: ExactWindow
}

/** The parameters of a window as they came, in microseconds: both, one or none. */
export type GivenWindow = { readonly from_time?: number | undefined; readonly to_time?: number | undefined }

const dayUs = 86_400_000_000
const defaultUs = dayUs
const maxDays = 400
// A year beyond would need another spelling in PostgreSQL.
const lastUs = Date.UTC(9999, 11, 31) * 1_000

/** The two query parameters of every read that looks at a window. */
export const windowFields = {
  from_time: timestamp
    .optional()
    .meta({ description: 'Start of the window, included, to the microsecond. Default: one day before its end' }),
  to_time: timestamp.optional().meta({ description: 'End of the window, excluded, to the microsecond. Default: now' }),
}

/** The window that the parameters mean at `nowMs`, to the microsecond. Not yet checked. */
export function resolveExact(given: GivenWindow, nowMs: number): ExactWindow {
  const toUs = given.to_time ?? nowMs * 1_000
  return { fromUs: given.from_time ?? toUs - defaultUs, toUs }
}

/** The same for reads that count by the millisecond. */
export function resolveWindow(given: GivenWindow, nowMs: number): Window {
  const exact = resolveExact(given, nowMs)
  return { from: new Date(Math.floor(exact.fromUs / 1_000)), to: new Date(Math.ceil(exact.toUs / 1_000)), exact }
}

/** A time in microseconds as PostgreSQL reads it. No span starts before 1970: an earlier time is given as that. */
export function showTimeUs(timeUs: number): string {
  const us = Math.min(Math.max(0, timeUs), lastUs)
  const ms = Math.floor(us / 1_000)
  return new Date(ms).toISOString().replace('Z', `${String(us - ms * 1_000).padStart(3, '0')}Z`)
}

type Issues = { addIssue(issue: ReturnType<typeof pairFault>): void }

export const windowFaults = {
  window_empty: 'from_time should be earlier than to_time',
  window_long: `The window should be at most ${maxDays} days long`,
} as const
type WindowFault = keyof typeof windowFaults

/** What is wrong with a window: it is empty, runs backwards, or is longer than 400 days. Null: nothing. */
export function findWindowFault(given: GivenWindow, nowMs: number): WindowFault | null {
  const { fromUs, toUs } = resolveExact(given, nowMs)
  if (fromUs >= toUs) return 'window_empty'
  return toUs - fromUs > maxDays * dayUs ? 'window_long' : null
}

/** For superRefine of a query. A cursor pins a window that was checked with its first page; a window up to now has become longer since. */
export function checkWindow(given: GivenWindow & { readonly cursor?: string | undefined }, ctx: Issues): void {
  const fault = given.cursor === undefined ? findWindowFault(given, Date.now()) : null
  if (fault === null) return
  const message = windowFaults[fault]
  ctx.addIssue(pairFault('from_time', 'value_error', message, { error: message }))
}
