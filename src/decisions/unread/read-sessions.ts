// Determines from the stored events which sessions used a result of a tool.
import type { Runner } from '../../store/database.ts'
import { judgeSession, type ResultUse, type SessionBlock } from './sessions.ts'

/** A session whose outcome is known, with its first execution in the block. */
export type SessionTrial = {
  readonly blockStartUs: number
  readonly session: string
  readonly startUs: number
  readonly traceId: string
  readonly spanId: string
  readonly isRead: boolean
}

/**
 * Returns the sessions in their order. Sessions whose outcome is not known yet, or whose results were in no prompt, are left out. One
 * statement, none without sessions.
 */
export async function readSessions(
  db: Pick<Runner, 'rows'>,
  workspaceId: string,
  sessions: readonly SessionBlock[],
  nowUs: number,
): Promise<SessionTrial[]> {
  const executions = sessions.flatMap((one) => one.executions)
  if (executions.length === 0) return []
  const readings = await db.rows<ResultUse>('decisions/judge-readings', [
    workspaceId,
    executions.map((one) => one.start_us),
    executions.map((one) => one.trace_id),
    executions.map((one) => one.session_id),
    executions.map((one) => one.tool_call_id),
  ])
  let at = 0
  return sessions.flatMap((one) => {
    const { blockStartUs, session } = one
    const own = readings.slice(at, at + one.executions.length)
    at += one.executions.length
    const outcome = judgeSession(one.executions, own, nowUs)
    const first = one.executions[0]
    if (first === undefined || (outcome !== 'read' && outcome !== 'unread')) return []
    const { start_us: startUs, trace_id: traceId, span_id: spanId } = first
    return [{ blockStartUs, session, startUs, traceId, spanId, isRead: outcome === 'read' }]
  })
}
