// Floor 3. The window of time that a read looks at: half-open on the start of events, the last day unless told
// otherwise.
import { pairFault, timestamp } from '../web/shapes.ts'

export type Window = { readonly from: Date; readonly to: Date }

/** The parameters of a window as they came: both, one or none. */
export type GivenWindow = { readonly from_time?: Date | undefined; readonly to_time?: Date | undefined }

const dayMs = 86_400_000
const defaultMs = dayMs
const maxDays = 400

/** The two query parameters of every read that looks at a window. */
export const windowFields = {
  from_time: timestamp
    .optional()
    .meta({ description: 'Start of the window, included. Default: one day before its end' }),
  to_time: timestamp.optional().meta({ description: 'End of the window, excluded. Default: now' }),
}

/** The window that the parameters mean at `nowMs`. Not yet checked. */
export function resolveWindow(given: GivenWindow, nowMs: number): Window {
  const to = given.to_time ?? new Date(nowMs)
  return { from: given.from_time ?? new Date(to.getTime() - defaultMs), to }
}

type Issues = { addIssue(issue: ReturnType<typeof pairFault>): void }

/** For superRefine of a query: refuses a window that is empty, runs backwards, or is longer than 400 days. */
export function checkWindow(given: GivenWindow, ctx: Issues): void {
  const { from, to } = resolveWindow(given, Date.now())
  if (from >= to) {
    const message = 'from_time should be earlier than to_time'
    ctx.addIssue(pairFault('from_time', 'value_error', message, { error: message }))
  } else if (to.getTime() - from.getTime() > maxDays * dayMs) {
    const message = `The window should be at most ${maxDays} days long`
    ctx.addIssue(pairFault('from_time', 'value_error', message, { error: message }))
  }
}
