// Floor 1. Whose work a span is: agent, session, user, kind of task, environment.
import type { Kind } from '../event/event.ts'
import { anyOf } from '../otlp/names.ts'
import { agentOfSpanName } from './agent-name.ts'
import { bounded, first, firstName, firstText, has, maxNameChars } from './attribute.ts'
import { readLangChainNote } from './langchain.ts'
import type { Reading } from './reading.ts'
import { openInferenceKindNames, traceloopEntityNames, traceloopKindNames } from './shared-names.ts'

const agentNames = anyOf('gen_ai.agent.name', 'agent.name')
const laterAgentNames = anyOf('traceloop.workflow.name', 'gen_ai.workflow.name')
const bareAgentNames = anyOf('agent_name')
const nodeNames = anyOf('graph.node.name', 'graph.node.id')
const frameworkAgentNames = anyOf('ai.telemetry.functionId', 'langsmith.metadata.lc_agent_name')
const sourceNames = anyOf('query_source')
const agentVersionNames = anyOf('gen_ai.agent.version', 'traceloop.entity.version', 'langfuse.version')
const resourceVersionNames = anyOf('gen_ai.main_agent.version', 'langfuse.version', 'service.version')
const fallbackAgentNames = anyOf('gen_ai.main_agent.name', 'service.name')

/** What the application itself set comes before what an instrumentation made up. */
const sessionNames = anyOf(
  'langfuse.session.id',
  'session.id',
  'gen_ai.conversation.id',
  'langsmith.trace.session_id',
  // The keys of the metadata that LangSmith itself takes for a thread.
  'langsmith.metadata.session_id',
  'langsmith.metadata.thread_id',
  'langsmith.metadata.conversation_id',
  'traceloop.association.properties.session_id',
  'traceloop.association.properties.thread_id',
  'lmnr.association.properties.session_id',
  'ai.telemetry.metadata.sessionId',
  'ai.telemetry.metadata.session_id',
  'ai.settings.context.sessionId',
  'ai.settings.context.session_id',
  'langfuse.observation.metadata.langfuse_session_id',
  'langfuse.trace.metadata.langfuse_session_id',
  'wandb.thread_id',
  'mlflow.trace.session',
  'gcp.vertex.agent.session_id',
  'thread_id',
)
const userNames = anyOf(
  'user.id',
  'langfuse.user.id',
  'enduser.id',
  'traceloop.association.properties.user_id',
  'lmnr.association.properties.user_id',
  'ai.telemetry.metadata.userId',
  'ai.settings.context.userId',
  'ai.settings.context.user_id',
  'llm.user',
  'langsmith.metadata.user_id',
  'mlflow.trace.user',
)
const resourceSessionNames = anyOf('langfuse.session.id', 'session.id')
const resourceUserNames = anyOf('user.id', 'langfuse.user.id', 'enduser.id')
const environmentNames = anyOf(
  'langfuse.environment',
  'deployment.environment.name',
  'deployment.environment',
  'gen_ai.environment',
)
const taskTypeNames = anyOf('tracewright.task_type')

export type Who = {
  readonly agentOwn: string | null
  readonly agentFallback: string
  readonly agentVersion: string | null
  readonly sessionId: string | null
  readonly userId: string | null
  readonly taskType: string | null
  readonly environment: string | null
}

function readAgent(reading: Reading, kind: Kind): string | null {
  const { attributes, flags } = reading
  const stated = firstName(attributes, agentNames, flags)
  if (stated !== null) return stated
  let text = reading.isPydanticAi ? firstText(attributes, bareAgentNames) : null
  if (text === null && kind === 'agent' && has(attributes, openInferenceKindNames)) {
    text = firstText(attributes, nodeNames)
  }
  if (text === null && first(attributes, traceloopKindNames) === 'agent') {
    text = firstText(attributes, traceloopEntityNames)
  }
  text ??= firstText(attributes, frameworkAgentNames) ?? readLangChainNote(reading, 'lc_agent_name')
  if (text === null && reading.isClaudeCode) {
    // Only a subagent's source names an agent; the others say which part of the program asked.
    const source = firstText(attributes, sourceNames)
    if (source?.startsWith('agent:') && source.length > 'agent:'.length) text = source.slice('agent:'.length)
  }
  text ??= firstText(attributes, laterAgentNames) ?? (kind === 'agent' ? agentOfSpanName(reading.span.name) : null)
  return text === null ? null : bounded(text, maxNameChars, flags)
}

function readUser(reading: Reading): string | null {
  const { attributes, resource, flags } = reading
  const stated = firstName(attributes, userNames, flags)
  if (stated !== null) return stated
  const noted = readLangChainNote(reading, 'user_id')
  return noted === null ? firstName(resource, resourceUserNames, flags) : bounded(noted, maxNameChars, flags)
}

/** Reads the span first and its resource where the span is silent. Cost: about 45 look-ups at worst. */
export function readWho(reading: Reading, kind: Kind): Who {
  const { attributes, resource, flags } = reading
  return {
    agentOwn: readAgent(reading, kind),
    agentFallback: firstName(resource, fallbackAgentNames, flags) ?? 'unknown',
    agentVersion: firstName(attributes, agentVersionNames, flags) ?? firstName(resource, resourceVersionNames, flags),
    sessionId: firstName(attributes, sessionNames, flags) ?? firstName(resource, resourceSessionNames, flags),
    userId: readUser(reading),
    taskType: firstName(attributes, taskTypeNames, flags) ?? firstName(resource, taskTypeNames, flags),
    environment: firstName(attributes, environmentNames, flags) ?? firstName(resource, environmentNames, flags),
  }
}
