// The log: JSON lines by pino, without secrets. `error` means: wake someone.
import { type Logger, type LoggerOptions, pino } from 'pino'
import { Outage } from '../base/fault.ts'
import { standardOutput } from './standard-output.ts'

export type Log = Logger

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

// Fields that may hold a secret wherever they stand; the values themselves never reach the line.
const redactedFields = [
  'authorization',
  'password',
  'token',
  'access_token',
  'refresh_token',
  'api_key',
  'secret',
  'cookie',
  'email',
]

/** Writes to standard output. A line that cannot be written is lost; the last ones before an end are not. */
export function makeLog(level: LogLevel): Log {
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: { paths: redactedFields.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]), censor: '[redacted]' },
    serializers: { error: describeError },
  }
  return pino(options, standardOutput)
}

type DescribedError = {
  type: string
  message: string
  code?: unknown
  stack?: string
  errors?: DescribedError[]
  cause?: DescribedError
}

/** Causes of causes: more than there are, unless they go in a circle. */
const deepest = 8
const mostErrors = 10

/**
 * A thrown value as plain data: type, message, code, stack, causes and, of an AggregateError, the failures that it is made of, and no other
 * field, since those may hold rows. An Outage comes without stacks: it is no bug, and while it lasts each request logs one.
 */
function describeError(error: unknown): DescribedError {
  return describe(error, !(error instanceof Outage), deepest)
}

function describe(error: unknown, withStack: boolean, deep: number): DescribedError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) }
  const code = (error as { code?: unknown }).code
  const errors = error instanceof AggregateError ? (error.errors as unknown[]).slice(0, mostErrors) : []
  return {
    type: error.name,
    message: error.message,
    ...(code === undefined ? {} : { code }),
    ...(error.stack === undefined || !withStack ? {} : { stack: error.stack }),
    ...(errors.length === 0 || deep === 0 ? {} : { errors: errors.map((one) => describe(one, withStack, deep - 1)) }),
    ...(error.cause === undefined || deep === 0 ? {} : { cause: describe(error.cause, withStack, deep - 1) }),
  }
}
