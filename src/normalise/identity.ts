// Reads what a span belongs to: its agent, session, user, type of task and environment.
import type { Kind } from '../event/event.ts'
import { agentOfSpanName } from './agent-name.ts'
import { isAsked, isMine } from './asked-reads.ts'
import { bounded, firstName, firstText, maxNameChars } from './attribute.ts'
import type { Reading } from './reading.ts'
import { ownText, readText } from './text-steps.ts'

export type Identity = {
  readonly agentOwn: string | null
  readonly agentFallback: string
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
  const text =
    (stated !== null && isAgentUnknown(reading, kind, stated) ? null : stated) ??
    readText(reading, contextAgent, kind) ??
    readText(reading, workflow, kind) ??
    (kind === 'agent' ? readAgentOfName(reading, kind) : null)
  return text === null ? null : bounded(text, maxNameChars, reading.flags)
}

/**
 * OpenAI's id of a response. Where a request continues an earlier response, some instrumentations report the id of this response as the
 * conversation: each call would be a session of its own.
 */
const responseId = /^resp_/

/** Whether the sender reports the id of the call as its session, as Copilot Chat does. */
const isOfCall = (session: string, { attributes, dialects }: Reading): boolean => {
  const { names } = dialects.texts.responseId
  return names !== null && session === firstText(attributes, names)
}

/** How senders spell a missing id. As an id, it would put all users into one session. */
const none = /^(?:null|None|undefined)$/

function readSession(reading: Reading): string | null {
  const { attributes, resource, flags, dialects } = reading
  const { session, resourceSession } = dialects.names
  const stated = firstText(attributes, session) ?? ownText(reading, dialects.own.session)
  const isNone = stated === null || responseId.test(stated) || none.test(stated) || isOfCall(stated, reading)
  if (!isNone) return bounded(stated, maxNameChars, flags)
  return firstName(resource, resourceSession, flags)
}

function readUser(reading: Reading, kind: Kind): string | null {
  const { resource, flags, dialects } = reading
  const stated = readText(reading, dialects.texts.user, kind)
  return stated === null
    ? firstName(resource, dialects.names.resourceUser, flags)
    : bounded(stated, maxNameChars, flags)
}

/** Reads the span first, then its resource for fields that the span does not state. Cost: at most about 45 look-ups. */
export function readIdentity(reading: Reading, kind: Kind): Identity {
  const { attributes, resource, flags } = reading
  const { names } = reading.dialects
  return {
    agentOwn: readAgent(reading, kind),
    agentFallback: firstName(resource, names.fallbackAgent, flags) ?? 'unknown',
    agentVersion: firstName(attributes, names.agentVersion, flags) ?? firstName(resource, names.resourceVersion, flags),
    sessionId: readSession(reading),
    userId: readUser(reading, kind),
    taskType: firstName(attributes, names.taskType, flags) ?? firstName(resource, names.taskType, flags),
    environment: firstName(attributes, names.environment, flags) ?? firstName(resource, names.environment, flags),
  }
}
