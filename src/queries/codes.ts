// The refusals of the read routes for traces, events and stats, with their public texts.

import { cursorInvalid } from '../web/page.ts'
import type { ParameterFault, RefusalTable } from '../web/route.ts'
import { timeZoneUnknown } from '../web/time-zone.ts'

/** The workspace has no such agent, trace or event. */
export const resourceNotFound: RefusalTable<'absent'> = { absent: { status: 404, detail: 'Not found' } }

/** Refusals of a list that pages by cursor. */
export const paging: Readonly<Record<'cursor_invalid', ParameterFault>> = { cursor_invalid: cursorInvalid }

/** Refusals of the time series. */
export const charting: Readonly<Record<'too_many_buckets' | 'time_zone_unknown', ParameterFault>> = {
  too_many_buckets: {
    status: 422,
    item: {
      loc: ['query', 'interval'],
      msg: 'The interval divides the window into more than 2000 buckets; use a longer interval',
      type: 'value_error',
      ctx: { max_buckets: 2_000 },
    },
  },
  time_zone_unknown: {
    status: 422,
    item: { loc: ['query', 'time_zone'], msg: timeZoneUnknown, type: 'value_error' },
  },
}
