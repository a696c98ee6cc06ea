// Schemas that many routes share: path ids, query numbers, timestamps. Their errors have the names of pydantic v2.
import { z } from 'zod'
import { isUuid } from '../base/ids.ts'

/** A custom zod issue. `params.type` and `params.ctx` become those of the 422 item (`web/validation.ts`). */
const fault = (type: string, message: string, ctx?: Record<string, unknown>) => ({
  code: 'custom' as const,
  message,
  params: ctx === undefined ? { type } : { type, ctx },
})

/** A UUID in a path, a query or a body, converted to lower case. */
export const uuid = z
  .string()
  .superRefine((text, ctx) => {
    if (!isUuid(text)) ctx.addIssue(fault('uuid_parsing', 'Input should be a valid UUID'))
  })
  .transform((text) => text.toLowerCase())
  .meta({ type: 'string', format: 'uuid' })

/** Text that matches a pattern, such as a hex id. `example` appears in the OpenAPI document. `base`: a string schema with length limits. */
export const matching = (pattern: RegExp, example: string, base = z.string()) =>
  base
    .superRefine((text, ctx) => {
      if (pattern.test(text)) return
      const { source } = pattern
      ctx.addIssue(fault('string_pattern_mismatch', `String should match pattern '${source}'`, { pattern: source }))
    })
    .meta({ type: 'string', pattern: pattern.source, examples: [example] })

// The length of the longest name that ingest keeps.
const maxFilterCharacters = 1_024

/** A filter value, compared exactly. U+0000 is refused, since stored text cannot contain it. */
export const filterText = z
  .string()
  .max(maxFilterCharacters)
  .superRefine((text, ctx) => {
    if (text.includes('\0')) {
      ctx.addIssue(
        fault('string_pattern_mismatch', "String should match pattern '^[^\\0]*$'", { pattern: '^[^\\0]*$' }),
      )
    }
  })
  .meta({ type: 'string', maxLength: maxFilterCharacters })

/** An integer in a query string, from `min` to `max`, both included. */
export function intParam(min: number, max: number) {
  return z
    .string()
    .transform((text, ctx) => {
      const value = /^[+-]?\d{1,4300}$/.test(text.trim()) ? Number(text) : Number.NaN
      if (Number.isNaN(value)) {
        ctx.addIssue(fault('int_parsing', 'Input should be a valid integer, unable to parse string as an integer'))
      } else if (value < min) {
        ctx.addIssue(fault('greater_than_equal', `Input should be greater than or equal to ${min}`, { ge: min }))
      } else if (value > max) {
        ctx.addIssue(fault('less_than_equal', `Input should be less than or equal to ${max}`, { le: max }))
      } else return value
      return z.NEVER
    })
    .meta({ type: 'integer', minimum: min, maximum: max })
}

// Stored durations in microseconds and sums of money are far smaller. Beyond 1e305, PostgreSQL would overflow when converting the unit.
const largestNumber = 1e15

/** A number in a query string, from 0 to 10^15, both included. */
export const positiveNumberParam = z
  .string()
  .transform((text, ctx) => {
    const value = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text.trim()) ? Number(text) : Number.NaN
    if (!Number.isFinite(value)) ctx.addIssue(fault('float_parsing', 'Input should be a valid number'))
    else if (value < 0)
      ctx.addIssue(fault('greater_than_equal', 'Input should be greater than or equal to 0', { ge: 0 }))
    else if (value > largestNumber) {
      const message = `Input should be less than or equal to ${largestNumber}`
      ctx.addIssue(fault('less_than_equal', message, { le: largestNumber }))
    } else return value
    return z.NEVER
  })
  .meta({ type: 'number', minimum: 0, maximum: largestNumber })

export const booleanParam = z
  .string()
  .transform((text, ctx) => {
    if (['true', '1'].includes(text.toLowerCase())) return true
    if (['false', '0'].includes(text.toLowerCase())) return false
    ctx.addIssue(fault('bool_parsing', 'Input should be a valid boolean, unable to interpret input'))
    return z.NEVER
  })
  .meta({ type: 'boolean' })

/** The same with a default value, which zod omits from the document if a schema has a transform. */
export const intParamOr = (fallback: number, min: number, max: number) =>
  intParam(min, max)
    .default(fallback)
    .meta({ override: { default: fallback } })

export const limitParam = intParamOr(50, 1, 200).meta({ description: 'Maximum number of items' })
export const offsetParam = intParamOr(0, 0, 100_000).meta({ description: 'Number of items to skip' })

const timestampPattern = /^(\d{4}-\d{2}-\d{2})[Tt ]([01]\d|2[0-3]):\d{2}(:\d{2}(\.\d{1,9})?)?([Zz]|[+-]\d{2}:?\d{2})?$/

/** Whether the day exists. Date reads the 30th of February as the 2nd of March; here it is invalid. */
function isCalendarDay(day: string): boolean {
  const read = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(read.getTime()) && read.toISOString().startsWith(day)
}

/** Returns the microseconds below the millisecond, which Date drops. Further digits are cut off. */
const belowMs = (text: string): number => Number((/\.\d{3}(\d{1,3})/.exec(text)?.[1] ?? '').padEnd(3, '0'))

/** RFC 3339 with an offset, as microseconds since 1970. A blank in a query string stands for a plus that the sender did not encode. */
export const timestamp = z
  .string()
  .transform((text, ctx) => {
    const mended = text.replace(/ (?=\d{2}:?\d{2}$)/, '+').replace(/^(\d{4}-\d{2}-\d{2}) /, '$1T')
    const day = timestampPattern.exec(mended)?.[1]
    const parsed = new Date(day !== undefined && isCalendarDay(day) ? mended : Number.NaN)
    if (Number.isNaN(parsed.getTime())) {
      ctx.addIssue(fault('datetime_from_date_parsing', 'Input should be a valid datetime'))
      return z.NEVER
    }
    if (!/([Zz]|[+-]\d{2}:?\d{2})$/.test(mended)) {
      ctx.addIssue(fault('timezone_aware', 'Input should have timezone info'))
      return z.NEVER
    }
    return parsed.getTime() * 1_000 + belowMs(mended)
  })
  .meta({ type: 'string', format: 'date-time' })

/** Whether PostgreSQL returns the text unchanged: it cannot store NUL, and would return an unpaired surrogate as another character. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

/** The issue of text that is not storable. A new object each time, since zod modifies it. */
export const unicodeFault = () =>
  fault('string_unicode', 'Input should be a valid string without U+0000 and unpaired surrogates')

function checkStorable(text: string, ctx: z.RefinementCtx): void {
  if (!isStorable(text)) ctx.addIssue(unicodeFault())
}

/** Text of `min` to `max` characters after trimming. */
export const trimmedText = (min: number, max: number) => z.string().trim().min(min).max(max).superRefine(checkStorable)

/** Text of `min` to `max` characters that is compared exactly. */
export const exactText = (min: number, max: number) => z.string().min(min).max(max).superRefine(checkStorable)

/** A timestamp in an answer: RFC 3339 in UTC with milliseconds. */
export const dateTimeOut = z.iso.datetime({ offset: true }).meta({ format: 'date-time' })

export const uuidOut = z.string().meta({ format: 'uuid' })

export const workspaceParams = z.object({
  workspace_id: uuid.meta({ description: 'A workspace that the caller is a member of' }),
})

/**
 * For superRefine: skips the check if the value or a member of it is already invalid, as pydantic does. By itself zod runs it after an issue
 * that it does not count as fatal, such as a text that is too long, and then that member may be undefined, whatever its type says.
 */
export const ifValid = { when: ({ issues }: z.core.ParsePayload): boolean => issues.length === 0 }

/** An issue about a pair of parameters, such as the two ends of a window, at `path`. */
export const pairFault = (path: string, type: string, message: string, ctx?: Record<string, unknown>) => ({
  ...fault(type, message, ctx),
  path: [path],
})
