// The executions of a tool by session and time block, and whether a model used a result in a session. Pure.
import { fingerprintOf } from '../policy/fingerprint.ts'

/**
 * The unit of evidence. A burst, such as a nightly job or a deployment, is one observation however many sessions it has. Ten minutes
 * are longer than most bursts, and 80 blocks without a reading, which is what a proof takes at the usual floor, are 14 hours.
 */
export const blockUs = 600_000_000

/** For so long a session may yet use a result. */
export const readableUs = 86_400_000_000

/** As the statements give it. Ids in hex. */
export type UnreadExecution = {
  readonly start_us: number
  readonly trace_id: string
  readonly span_id: string
  /** Null: the trace is a session of its own. */
  readonly session_id: string | null
  readonly tool_call_id: string
}

/** What a session ran of the tool in one block; a session that lasts is another one in the next block. */
export type SessionBlock = {
  readonly blockStartUs: number
  readonly session: string
  readonly executions: UnreadExecution[]
}

/** What is known of one execution. `is_read` is null where its result has stood in no prompt. */
export type Reading = { readonly is_settled: boolean; readonly is_read: boolean | null }

/** Only `read` and `unread` are trials. */
export type SessionOutcome = 'read' | 'unread' | 'pending' | 'not_consumed'

export const startOfBlock = (atUs: number): number => Math.floor(atUs / blockUs) * blockUs

/**
 * In the order of blocks. Where a block has more than `mostPerBlock` sessions, those count whose hash is the lowest, which has nothing
 * to do with when they ran or what they read.
 */
export function groupSessions(executions: readonly UnreadExecution[], mostPerBlock: number): SessionBlock[] {
  const blocks = new Map<number, Map<string, SessionBlock>>()
  for (const execution of executions) {
    const blockStartUs = startOfBlock(execution.start_us)
    const session = execution.session_id ?? execution.trace_id
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
 * A result that was read is known at once. That none was is known once the traces of the executions are settled, or a day later. A
 * result that stood in no prompt says nothing, and neither does a session with such results alone.
 */
export function judgeSession(
  executions: readonly UnreadExecution[],
  readings: readonly Reading[],
  nowUs: number,
): SessionOutcome {
  if (readings.some((reading) => reading.is_read === true)) return 'read'
  const isOpen = executions.some(
    ({ start_us: startUs }, nth) => readings[nth]?.is_settled !== true && nowUs - startUs < readableUs,
  )
  if (isOpen) return 'pending'
  if (readings.some((reading) => reading.is_read === false)) return 'unread'
  return executions.every(({ start_us: startUs }) => nowUs - startUs >= readableUs) ? 'not_consumed' : 'pending'
}
