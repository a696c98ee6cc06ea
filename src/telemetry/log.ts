// The log: JSON lines by pino, without secrets. Level `error` means that a person should be woken.
import { type Logger, type LoggerOptions, pino } from 'pino'
import { Outage } from '../base/fault.ts'
import { standardOutput } from './standard-output.ts'

export type Log = Logger

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

// Fields that may hold a secret, up to two levels deep; their values are never logged.
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

/** Logs to standard output. A line that cannot be written is lost. Lines that wait at the end of the process are still written. */
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

/** The maximum depth of nested causes, against cycles. */
const deepest = 8
const mostErrors = 10

/**
 * Returns a thrown value as plain data: type, message, code, stack, causes and, for an AggregateError, its errors. Other fields are left
 * out, since they may hold rows. An Outage has no stack: it is no bug, and while it lasts each request logs one.
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
