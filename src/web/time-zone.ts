// A request parameter that names a time zone of the IANA database.
import type { z } from 'zod'
import { matching } from './shapes.ts'

// Only names: both this runtime and PostgreSQL also accept offsets, but with opposite signs.
const namePattern = /^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/

/** The message for a name that this runtime or PostgreSQL does not know. */
export const timeZoneUnknown = 'Input should be an IANA time zone such as Europe/Berlin'

/** The name of a time zone that this runtime knows. PostgreSQL may know fewer. */
export const timeZoneParam = matching(namePattern, 'Europe/Berlin').superRefine(checkKnown)

/** Names that PostgreSQL takes for abbreviations, without summer time, and the zones that the IANA database links them to. */
const links: Readonly<Record<string, string>> = {
  CET: 'Europe/Brussels',
  EET: 'Europe/Athens',
  MET: 'Europe/Brussels',
  WET: 'Europe/Lisbon',
}

/** Returns a name that PostgreSQL reads as the zone that `name` is here. */
export const nameForPostgres = (name: string): string => links[name.toUpperCase()] ?? name

function checkKnown(name: string, ctx: z.RefinementCtx): void {
  try {
    Intl.DateTimeFormat('en', { timeZone: name })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    ctx.addIssue({ code: 'custom', message: timeZoneUnknown, params: { type: 'value_error' } })
  }
}
