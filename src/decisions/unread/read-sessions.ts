// Determines from the stored events which sessions used a result of a tool.
import type { Runner } from '../../store/database.ts'
import { judgeSession, type ResultUse, type SessionBlock } from './sessions.ts'

/** A session with its first execution in the block. */
export type JudgedSession = {
  readonly blockStartUs: number
  readonly session: string
  readonly startUs: number
  readonly traceId: string
  readonly spanId: string
  /** Null: not known yet, since a trace of the session may still change. */
  readonly isRead: boolean | null
}

/** A session whose outcome is known. */
export type SessionTrial = JudgedSession & { readonly isRead: boolean }

export const isTrial = (one: JudgedSession): one is SessionTrial => one.isRead !== null

/** Returns the sessions in their order, without those whose results have been in no prompt. One statement, none without sessions. */
export async function readSessions(
  db: Pick<Runner, 'rows'>,
  workspaceId: string,
  sessions: readonly SessionBlock[],
  nowUs: number,
): Promise<JudgedSession[]> {
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
    if (first === undefined || outcome === 'not_consumed') return []
    const { start_us: startUs, trace_id: traceId, span_id: spanId } = first
    return [
      { blockStartUs, session, startUs, traceId, spanId, isRead: outcome === 'pending' ? null : outcome === 'read' },
    ]
  })
}
