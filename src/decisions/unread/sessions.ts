// The executions of a tool by session and time block, and whether a model used a result in a session. Pure.
import { fingerprintOf } from '../policy/fingerprint.ts'

/**
 * The unit of evidence. A burst, such as a nightly job or a deployment, is one observation regardless of its number of sessions. Ten
 * minutes are longer than most bursts. A proof at the usual floor takes about 80 blocks without a reading, or about 14 hours.
 */
export const blockUs = 600_000_000

/** Time within which a session may still use a result. */
export const readableUs = 86_400_000_000

/** An execution as the statements return it. Ids in hex. */
export type UnreadExecution = {
  readonly start_us: number
  readonly trace_id: string
  readonly span_id: string
  /** Null: the trace is a session of its own. */
  readonly session_id: string | null
  readonly tool_call_id: string
  /** True if the sender says that others than the model may receive the result. */
  readonly is_reported_read: boolean
}

/** The executions of the tool by a session in one block. A session that continues is counted again in the next block. */
export type SessionBlock = {
  readonly blockStartUs: number
  readonly session: string
  readonly executions: UnreadExecution[]
}

/** What is known of one execution. `is_read` is null if its result was in no prompt. */
export type ResultUse = { readonly is_settled: boolean; readonly is_read: boolean | null }

/** Only `read` and `unread` are trials. `pending`: a trace may still change. `not_consumed`: no result has been in a prompt so far. */
export type SessionOutcome = 'read' | 'unread' | 'pending' | 'not_consumed'

/** Returns the session of an execution; without one, its trace. */
export const sessionOf = ({ session_id: session, trace_id: trace }: UnreadExecution): string => session ?? trace

export const startOfBlock = (atUs: number): number => Math.floor(atUs / blockUs) * blockUs

/**
 * Returns the sessions in the order of blocks. If a block has more than `mostPerBlock` sessions, those with the lowest hash are taken,
 * which is independent of when they ran and what they read.
 */
export function groupSessions(executions: readonly UnreadExecution[], mostPerBlock: number): SessionBlock[] {
  const blocks = new Map<number, Map<string, SessionBlock>>()
  for (const execution of executions) {
    const blockStartUs = startOfBlock(execution.start_us)
    const session = sessionOf(execution)
    const sessions = blocks.get(blockStartUs) ?? new Map<string, SessionBlock>()
    blocks.set(blockStartUs, sessions)
    const known = sessions.get(session)
    if (known === undefined) sessions.set(session, { blockStartUs, session, executions: [execution] })
    else known.executions.push(execution)
  }
  return [...blocks].sort(([a], [b]) => a - b).flatMap(([, sessions]) => sampleOf([...sessions.values()], mostPerBlock))
}

function sampleOf(sessions: SessionBlock[], most: number): SessionBlock[] {
  if (sessions.length <= most) return sessions
  return sessions
    .map((one) => ({ one, draw: fingerprintOf(`${one.blockStartUs} ${one.session}`) }))
    .sort((a, b) => a.draw - b.draw)
    .slice(0, most)
    .map(({ one }) => one)
}

/**
 * A used result is known at once; one that others than the model may receive counts as used, even if it is in no prompt. That no result was
 * used is known once the traces of the executions are settled, or a day later. Any other result that was in no prompt is no evidence, and
 * neither is a session with only such results.
 */
export function judgeSession(
  executions: readonly UnreadExecution[],
  readings: readonly ResultUse[],
  nowUs: number,
): SessionOutcome {
  if (executions.some((one) => one.is_reported_read) || readings.some((one) => one.is_read === true)) return 'read'
  const isOpen = executions.some(
    ({ start_us: startUs }, nth) => readings[nth]?.is_settled !== true && nowUs - startUs < readableUs,
  )
  if (isOpen) return 'pending'
  return readings.some((reading) => reading.is_read === false) ? 'unread' : 'not_consumed'
}
