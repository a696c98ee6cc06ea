// Floor 2. The log: JSON lines by pino, without secrets. `error` means: wake someone.
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

type DescribedError = { type: string; message: string; code?: unknown; stack?: string; cause?: DescribedError }

/**
 * A thrown value as plain data: type, message, code, stack and causes, and no other field, since those may hold rows. An Outage comes
 * without stacks: it is no bug, and while it lasts each request logs one.
 */
function describeError(error: unknown): DescribedError {
  return describe(error, !(error instanceof Outage))
}

function describe(error: unknown, withStack: boolean): DescribedError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) }
  const code = (error as { code?: unknown }).code
  return {
    type: error.name,
    message: error.message,
    ...(code === undefined ? {} : { code }),
    ...(error.stack === undefined || !withStack ? {} : { stack: error.stack }),
    ...(error.cause === undefined ? {} : { cause: describe(error.cause, withStack) }),
  }
}
