// The row of an execution, as returned by the statements that feed a ladder.
import type { Execution } from '../gate/replay.ts'

export type ExecutionRow = {
  readonly start_us: number
  readonly duration_us: number
  readonly input_hash: string
  readonly content_hash: string | null
  readonly is_error: boolean
  /** Undefined: no rule served at the time. */
  readonly is_held_out?: boolean
  readonly trace_id: string
  readonly span_id: string
}

export const toExecution = (row: ExecutionRow): Execution => ({
  startUs: row.start_us,
  endUs: row.start_us + row.duration_us,
  inputHash: row.input_hash,
  contentHash: row.content_hash,
  isError: row.is_error,
  isHeldOut: row.is_held_out === true,
  traceId: row.trace_id,
  spanId: row.span_id,
})
