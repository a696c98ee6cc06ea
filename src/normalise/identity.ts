// Reads what a span belongs to: its agent, session, user, type of task and environment.
import type { Kind } from '../event/event.ts'
import type { Flag } from '../event/flag.ts'
import { agentOfSpanName } from './agent-name.ts'
import { isAnyTrue, isAsked, isMine } from './asked-reads.ts'
import { bounded, firstText, maxNameChars } from './attribute.ts'
import type { Reading } from './reading.ts'
import { firstSession } from './session.ts'
import { isOf } from './span-reading.ts'
import { readText } from './text-steps.ts'

export type Identity = {
  readonly agentOwn: string | null
  readonly agentFallback: string
  readonly hasMainAgent: boolean
  readonly agentVersion: string | null
  readonly sessionId: string | null
  readonly userId: string | null
  readonly taskType: string | null
  readonly environment: string | null
}

/** Whether the agent that the span names is only a stand-in of the instrumentation. The agent is then inherited from a span around. */
function isAgentUnknown(reading: Reading, kind: Kind, name: string): boolean {
  const group = reading.dialects.reads.isAgentUnknown
  return isAsked(reading, group) && group.reads.some(({ of, read }) => isMine(reading, of) && read(reading, kind, name))
}

/** Returns the agent that the span's name contains. Frameworks put the model in the place of an agent without a name. */
function readAgentOfName(reading: Reading, kind: Kind): string | null {
  const { names } = reading.dialects
  const name = agentOfSpanName(reading.span.name)
  if (name === null || isAgentUnknown(reading, kind, name)) return null
  const isModel =
    name === firstText(reading.attributes, names.requestModel) ||
    name === firstText(reading.attributes, names.responseModel)
  return isModel ? null : name
}

function readAgent(reading: Reading, kind: Kind): string | null {
  const { agent, contextAgent, workflow } = reading.dialects.texts
  const stated = readText(reading, agent, kind)
  return (
    (stated !== null && isAgentUnknown(reading, kind, stated) ? null : stated) ??
    readText(reading, contextAgent, kind) ??
    readText(reading, workflow, kind) ??
    (kind === 'agent' ? readAgentOfName(reading, kind) : null)
  )
}

/** Returns the session that the span states; null where it states none, or only placeholders. Cost: 1 look-up for most spans. */
function readSession(reading: Reading): string | null {
  const { attributes, dialects } = reading
  const { names } = dialects.texts.responseId
  // Some senders report the id of the call as its session.
  const isOfCall = (session: string): boolean =>
    (names !== null && session === firstText(attributes, names)) ||
    isAnyTrue(reading, dialects.reads.isSessionUnknown, session)
  const stated = firstSession(attributes, dialects.names.session, isOfCall)
  if (stated !== null) return stated
  for (const own of dialects.own.session) {
    const session = isOf(reading, own.of) ? firstSession(attributes, own.names, isOfCall) : null
    if (session !== null) return session
  }
  return null
}

const named = (text: string | null, flags: Set<Flag>): string | null =>
  text === null ? null : bounded(text, maxNameChars, flags)

/** Reads the span first, then its resource for fields that the span does not state. Cost: at most about 35 look-ups. */
export function readIdentity(reading: Reading, kind: Kind): Identity {
  const { attributes, flags } = reading
  const { names, texts, readResource } = reading.dialects
  const resource = readResource(reading.resource)
  return {
    agentOwn: named(readAgent(reading, kind), flags),
    agentFallback: named(resource.agent, flags) ?? 'unknown',
    hasMainAgent: resource.hasMainAgent,
    agentVersion: named(firstText(attributes, names.agentVersion) ?? resource.version, flags),
    sessionId: named(readSession(reading) ?? resource.session, flags),
    userId: named(readText(reading, texts.user, kind) ?? resource.user, flags),
    taskType: named(firstText(attributes, names.taskType) ?? resource.taskType, flags),
    environment: named(firstText(attributes, names.environment) ?? resource.environment, flags),
  }
}
