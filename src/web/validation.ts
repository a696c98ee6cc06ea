// Converts zod issues to the 422 body, with the names of pydantic v2, since clients of this interface match on them.
import type { z } from 'zod'

export type ValidationItem = {
  readonly loc: readonly (string | number)[]
  readonly msg: string
  readonly type: string
  readonly input?: unknown
  readonly ctx?: Record<string, unknown>
}

type Part = 'path' | 'query' | 'header' | 'body'

// Inputs are echoed to show what was refused, but never secrets, and never more than a short text.
const secretFields = /password|token|secret|api_key/i
const maxEchoedCharacters = 200

/** Returns one item per issue, in order. `raw` is the value that was checked. */
export function describeIssues(part: Part, issues: readonly z.core.$ZodIssue[], raw: unknown): ValidationItem[] {
  return issues.map((issue) => {
    const path = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step))
    const input = pick(raw, path)
    const { type, msg, ctx } = nameIssue(issue, input)
    const isSecret = path.some((step) => typeof step === 'string' && secretFields.test(step))
    return {
      loc: [part, ...path],
      msg,
      type,
      ...(input === undefined || isSecret ? {} : { input: shorten(input) }),
      ...(ctx === undefined ? {} : { ctx }),
    }
  })
}

/** The item for a body that is not JSON at all. */
export function describeBadJson(message: string): ValidationItem[] {
  return [{ loc: ['body'], msg: 'JSON decode error', type: 'json_invalid', ctx: { error: message } }]
}

type Named = { type: string; msg: string; ctx?: Record<string, unknown> }

function nameIssue(issue: z.core.$ZodIssue, input: unknown): Named {
  if (issue.code === 'custom') return nameCustom(issue)
  if (input === undefined && (issue.code === 'invalid_type' || issue.code === 'invalid_value')) {
    return { type: 'missing', msg: 'Field required' }
  }
  switch (issue.code) {
    case 'invalid_type':
      return {
        type: typeNames[issue.expected] ?? `${issue.expected}_type`,
        msg: `Input should be a valid ${issue.expected === 'int' ? 'integer' : issue.expected}`,
      }
    case 'invalid_value': {
      const expected = listWithOr(issue.values.map((value) => `'${String(value)}'`))
      return { type: 'enum', msg: `Input should be ${expected}`, ctx: { expected } }
    }
    case 'too_small':
      return nameBound(issue.origin, Number(issue.minimum), 'small')
    case 'too_big':
      return nameBound(issue.origin, Number(issue.maximum), 'big')
    case 'invalid_format':
      return { type: 'string_pattern_mismatch', msg: `Input should be a valid ${issue.format}` }
    case 'unrecognized_keys':
    case 'invalid_union':
    case 'invalid_key':
    case 'invalid_element':
    case 'not_multiple_of':
      return { type: 'value_error', msg: issue.message }
  }
}

const listWithOr = (words: readonly string[]): string =>
  words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`

const typeNames: Readonly<Record<string, string>> = {
  string: 'string_type',
  number: 'float_type',
  int: 'int_type',
  boolean: 'bool_type',
  array: 'list_type',
  object: 'model_attributes_type',
  record: 'dict_type',
}

function nameCustom(issue: z.core.$ZodIssueCustom): Named {
  const params = issue.params ?? {}
  const type = typeof params['type'] === 'string' ? params['type'] : 'value_error'
  const ctx = params['ctx'] as Record<string, unknown> | undefined
  return ctx === undefined ? { type, msg: issue.message } : { type, msg: issue.message, ctx }
}

function nameBound(origin: string, bound: number, side: 'small' | 'big'): Named {
  if (origin === 'string') {
    const plural = bound === 1 ? 'character' : 'characters'
    return side === 'small'
      ? { type: 'string_too_short', msg: `String should have at least ${bound} ${plural}`, ctx: { min_length: bound } }
      : { type: 'string_too_long', msg: `String should have at most ${bound} ${plural}`, ctx: { max_length: bound } }
  }
  if (origin === 'array') {
    return side === 'small'
      ? { type: 'too_short', msg: `List should have at least ${bound} items`, ctx: { min_length: bound } }
      : { type: 'too_long', msg: `List should have at most ${bound} items`, ctx: { max_length: bound } }
  }
  return side === 'small'
    ? { type: 'greater_than_equal', msg: `Input should be greater than or equal to ${bound}`, ctx: { ge: bound } }
    : { type: 'less_than_equal', msg: `Input should be less than or equal to ${bound}`, ctx: { le: bound } }
}

function pick(raw: unknown, path: readonly (string | number)[]): unknown {
  let value = raw
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = (value as Record<string | number, unknown>)[step]
  }
  return value
}

function shorten(input: unknown): unknown {
  if (typeof input === 'string')
    return input.length > maxEchoedCharacters ? `${input.slice(0, maxEchoedCharacters)}…` : input
  return typeof input === 'object' && input !== null ? undefined : input
}
