// A request parameter that names a time zone of the IANA database.
import type { z } from 'zod'
import { matching } from './shapes.ts'

// Only names: both this runtime and PostgreSQL also accept offsets, but with opposite signs.
const namePattern = /^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/

/** The name of a time zone that this runtime knows. PostgreSQL may know fewer. */
export const timeZoneParam = matching(namePattern, 'Europe/Berlin').superRefine(checkKnown)

function checkKnown(name: string, ctx: z.RefinementCtx): void {
  try {
    Intl.DateTimeFormat('en', { timeZone: name })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    ctx.addIssue({ code: 'custom', message: 'Input should be an IANA time zone', params: { type: 'value_error' } })
  }
}
