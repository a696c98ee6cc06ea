// Sessions of a tool that attests `unread`, as events, and decisions about it.
import type { DecisionType } from '../../../src/decisions/config.ts'
import { agentIdOf, type EventSeed } from '../../_kit/events.ts'
import { makeWorkspace } from '../../_kit/workspace.ts'
import { makeConsumer, makeDecision, makeExecution, type Subject, type World } from '../_gated.ts'

export const blockMs = 600_000

/** Returns an execution and the model call that has its result in its prompt. */
export function makeSession(startMs: number, isRead: boolean, more: Partial<EventSeed> = {}): EventSeed[] {
  const execution = makeExecution(startMs, {
    attested: false,
    attestedUnread: true,
    keyId: null,
    contentHash: null,
    ...more,
  })
  const { session = null, agent } = execution
  const read = isRead ? [execution.callId ?? ''] : []
  const consumer = makeConsumer(execution, { read, session, costUsd: 0.001, ...(agent === undefined ? {} : { agent }) })
  return [execution, consumer]
}

/**
 * Returns `blocks` blocks from a time on, each with `sessions` sessions; `isRead` says which are read, by the block and the index in it.
 */
export const makeBlocks = (
  fromMs: number,
  blocks: number,
  sessions: number,
  isRead: (block: number, nth: number) => boolean = () => false,
  more: Partial<EventSeed> = {},
): EventSeed[] =>
  Array.from({ length: blocks * sessions }, (_, at) => {
    const [block, nth] = [Math.floor(at / sessions), at % sessions]
    return makeSession(fromMs + block * blockMs + nth * 1_000, isRead(block, nth), more)
  }).flat()

/** Makes a suppress_dead decision on the tool `search` of the agent `agent`. */
export async function makeUnread(
  world: World,
  options: { readonly state?: 'proposed' | 'shadow' | 'active'; readonly config?: object } = {},
): Promise<Subject> {
  const workspaceId = await makeWorkspace(world.query)
  const type: DecisionType = 'suppress_dead'
  const config = { agent_id: agentIdOf(workspaceId, 'agent'), ...options.config }
  return await makeDecision(world, { ...options, type, workspaceId, config })
}
