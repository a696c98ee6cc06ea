// Floor 3. The executions that a rule would have matched, and what would have been served for them: read from the events, a look at
// a time.
import type { Runner } from '../../store/database.ts'
import type { Exclusion, Execution } from '../gate/fold-trials.ts'
import type { Subject } from './phase.ts'

/** An execution, with the candidate that would have been served for it. */
export type JudgedExecution = Execution & {
  readonly candidate: { readonly startUs: number; readonly traceId: string; readonly spanId: string } | null
}

/** Where a read goes on: behind this execution. */
export type Place = Pick<Execution, 'startUs' | 'traceId' | 'spanId'>

export type Stretch = {
  readonly beganUs: number
  /** Not included. */
  readonly endedUs: number
  readonly after: Place | null
}

type Row = {
  start_us: number
  trace_id: string
  span_id: string
  cluster: string
  input_hash: string | null
  candidate_start_us: number | null
  candidate_trace_id: string | null
  candidate_span_id: string | null
  matched: boolean | null
  excluded_reason: Exclusion | null
}

/** Executions of one look. A look takes about as long as reading its rows twice. */
export const maxInLook = 20_000

/**
 * The executions of a stretch in their order (start, trace, span), `limit` at most. A pure function of what is stored. Of a type
 * that is not known there are none. One statement.
 */
export async function readExecutions(
  db: Pick<Runner, 'rows'>,
  subject: Subject,
  { beganUs, endedUs, after }: Stretch,
  limit: number = maxInLook,
): Promise<JudgedExecution[]> {
  const { workspaceId, type, toolName, inputHash, agentId, freshnessS } = subject
  const from = after === null ? [beganUs, ...nothing] : [after.startUs, ...idsOf(after)]
  const rest = [agentId, freshnessS, beganUs, endedUs, ...from, limit]
  const rows =
    type === 'reuse_identity'
      ? await db.rows<Row>('decisions/trials-of-reuse', [workspaceId, toolName, inputHash, ...rest])
      : type === 'suppress_dead'
        ? await db.rows<Row>('decisions/trials-of-suppress', [workspaceId, toolName, ...rest])
        : []
  return rows.map(toExecution)
}

const nothing = [Buffer.alloc(0), Buffer.alloc(0)]
const idsOf = ({ traceId, spanId }: Place): Buffer[] => [Buffer.from(traceId, 'hex'), Buffer.from(spanId, 'hex')]

function toExecution(row: Row): JudgedExecution {
  const { candidate_start_us: startUs, candidate_trace_id: traceId, candidate_span_id: spanId } = row
  return {
    startUs: row.start_us,
    traceId: row.trace_id,
    spanId: row.span_id,
    cluster: row.cluster,
    inputHash: row.input_hash,
    candidate: startUs === null || traceId === null || spanId === null ? null : { startUs, traceId, spanId },
    matched: row.matched,
    excludedReason: row.excluded_reason,
  }
}
