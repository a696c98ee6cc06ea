// The dialect of Pydantic AI and Logfire.
import type { Kind } from '../../event/event.ts'
import { anyOf } from '../../event/names.ts'
import type { Span } from '../../event/span.ts'
import { asText, first, firstText, has, toPlain } from '../attribute.ts'
import { isObject, type JsonObject, parseStructure } from '../json.ts'
import type { Dialect, MessageRead, TextRead } from '../merge/definition.ts'
import { readMessages } from '../messages/list.ts'
import { defaultRole, inAttributes } from '../messages/sources.ts'
import { isOf, type SpanReading } from '../span-reading.ts'
import { readCount } from '../usage/count.ts'
import { fillFromProviderUsage, usageOfAnswer } from '../usage/provider-usage.ts'
import type { ReportedUsage } from '../usage/reported-usage.ts'

const name = 'pydantic'
const rawUsageNames = anyOf('gen_ai.usage.raw')
const responseNames = anyOf('response_data')

// Logfire reports a streamed model call as two spans. One ends when the stream begins; the other is written when the stream has ended, with
// the answer, the usage and the duration.

const answerNames = anyOf(
  'gen_ai.response.id',
  'gen_ai.usage.input_tokens',
  'gen_ai.usage.output_tokens',
  'gen_ai.output.messages',
  'response_data',
)
const maxDurationS = 86_400

const isOfProvider = ({ scope }: Span): boolean => scope.name === 'logfire.openai' || scope.name === 'logfire.anthropic'

/** Whether the span is the request of a stream that began. The call itself is reported when the stream has ended. */
const isStreamRequest = ({ span, attributes }: SpanReading): boolean =>
  isOfProvider(span) &&
  attributes.get('logfire.span_type') === 'span' &&
  span.statusCode !== 2 &&
  !has(attributes, answerNames)

/** Returns the duration in microseconds of the stream that ended when the span was written; null for every other span. */
function readStreamUs({ span, attributes }: SpanReading): number | null {
  if (!isOfProvider(span) || attributes.get('logfire.span_type') !== 'log') return null
  const template = attributes.get('logfire.msg_template')
  if (typeof template !== 'string' || !template.startsWith('streaming response from ')) return null
  const seconds = Number(attributes.get('duration'))
  return seconds >= 0 && seconds <= maxDurationS ? Math.round(seconds * 1_000_000) : null
}

// Logfire reports the traces of the OpenAI Agents SDK under its own message templates. Only model calls have OpenTelemetry's names.

const templateNames = anyOf('logfire.msg_template')
const kindsOfTemplates: ReadonlyMap<string, Kind> = new Map([
  ['Function: {name}', 'tool'],
  // The model asks for a handoff as it asks for a tool.
  ['Handoff: {from_agent} → {to_agent}', 'tool'],
  ['Agent run: {name!r}', 'agent'],
])

const kindOfTemplate = ({ span, attributes }: SpanReading): Kind | null =>
  span.scope.name === 'logfire.openai_agents'
    ? (kindsOfTemplates.get(firstText(attributes, templateNames) ?? '') ?? null)
    : null

const agentOfRun: TextRead = (reading, kind) =>
  kind === 'agent' && kindOfTemplate(reading) === 'agent' ? asText(reading.attributes.get('name')) : null

/** Returns the name of the tool; for a handoff, the name that OpenInference gives it. */
const toolOfTemplate: TextRead = (reading) => {
  if (kindOfTemplate(reading) !== 'tool') return null
  const to = asText(reading.attributes.get('to_agent'))
  return to === null ? asText(reading.attributes.get('name')) : `handoff to ${to}`
}

/** Returns the usage from the response data. Releases of Logfire without `gen_ai.usage.raw` have it there; for streams, only there. */
function usageInResponse(reading: SpanReading): JsonObject | null {
  const response = isOfProvider(reading.span) ? reading.object(responseNames) : null
  return response === null ? null : usageOfAnswer(response)
}

const messagesInText = inAttributes(
  ['pydantic_ai.all_messages', 'all_messages_events', 'prompt', 'request_data'],
  ['final_result', 'response_data'],
)

const textMessages: MessageRead = (reading, way) =>
  isOf(reading, name) || reading.attributes.has('all_messages_events') ? messagesInText(reading, way) : null

/** Reads messages from the list of events, which contains input and output. The choice is the output. */
const eventMessages: MessageRead = (reading, way) => {
  const { attributes, flags } = reading
  const value = isOf(reading, name) ? attributes.get('events') : undefined
  if (value === undefined) return null
  const list = typeof value === 'string' ? parseStructure(value, flags) : toPlain(value, flags)
  if (!Array.isArray(list)) return null
  const isChoice = (item: unknown) => isObject(item) && item['event.name'] === 'gen_ai.choice'
  return readMessages(
    list.filter((item) => isChoice(item) === (way === 'output')),
    defaultRole(way),
    flags,
  )
}

const claudeAgentScope = 'logfire.claude_agent_sdk'
const usageNames = anyOf('gen_ai.usage.input_tokens', 'gen_ai.usage.output_tokens')

/**
 * Makes the span of an agent an llm span, for the Claude Agent SDK: Logfire knows the usage of a whole turn and reports it on the span of
 * the agent. The calls inside have only the counts that were known when each answer began, under other names.
 */
const restateKind = ({ span, attributes }: SpanReading, kind: Kind): Kind | null =>
  kind === 'agent' && span.scope.name === claudeAgentScope && has(attributes, usageNames) ? 'llm' : null

/** A tool that waits for a person or for another process. Instrumentation up to version 4 reports it as an error. */
const signalType = /^pydantic_ai\.exceptions\.(?:CallDeferred|ApprovalRequired)$/

const thoughtsNames = anyOf('gen_ai.usage.details.thoughts_tokens')
const standardReasoning = anyOf('gen_ai.usage.reasoning.output_tokens')
const ownScope = /^pydantic[-_]ai/

/**
 * Logfire adds the thoughts to the spans of OpenTelemetry's instrumentation of Google's SDK, whose output count excludes them. That of
 * Pydantic AI includes them.
 */
function addThoughts({ span, attributes, flags }: SpanReading, told: ReportedUsage): void {
  if (ownScope.test(span.scope.name ?? '') || told.output === null || has(attributes, standardReasoning)) return
  const thoughts = readCount(first(attributes, thoughtsNames), flags)
  if (thoughts === null || thoughts === 0) return
  told.output += thoughts
  flags.add('usage_adjusted')
}

export const pydantic: Dialect = {
  name,
  marks: { scopes: ['pydantic-ai', 'pydantic_ai*', 'logfire*'] },
  toolSpans: ['running tool: '],
  names: {
    cachedTokens: [
      'gen_ai.usage.cache_read_tokens',
      'gen_ai.usage.details.cache_read_tokens',
      'gen_ai.usage.details.cache_read_input_tokens',
    ],
    cacheWriteTokens: [
      'gen_ai.usage.cache_write_tokens',
      'gen_ai.usage.details.cache_write_tokens',
      'gen_ai.usage.details.cache_creation_input_tokens',
    ],
    /** Named by each provider. */
    reasoningTokens: [
      'gen_ai.usage.details.reasoning_tokens',
      ...thoughtsNames.all,
      'gen_ai.usage.details.thinking_tokens',
    ],
    cost: ['operation.cost'],
    toolArguments: ['tool_arguments'],
    toolResult: ['tool_response'],
  },
  bare: { requestModel: ['model_name'] },
  own: {
    /** The name in OpenAI Agents for the traces of one conversation. */
    session: ['group_id'],
    agentMarks: ['agent_name'],
    llmMarks: ['model_name'],
    agent: ['agent_name', agentOfRun],
    toolName: [toolOfTemplate],
    toolArguments: ['input'],
    toolResult: ['output'],
  },
  messages: [textMessages, eventMessages],
  content: {
    in: ['prompt', 'request_data', 'tool_arguments'],
    out: ['final_result', 'response_data', 'tool_response'],
    both: ['pydantic_ai.all_messages', 'all_messages', 'all_messages_events', 'events'],
    apart: ['tools', 'model_request_parameters'],
  },
  reads: {
    kind: { on: { own: true }, read: kindOfTemplate },
    restatedKind: { on: { own: true }, read: restateKind },
    isRequestOnly: { on: { own: true }, read: isStreamRequest },
    streamUs: { on: { own: true }, read: readStreamUs },
    isSignal: (type) => type !== null && signalType.test(type),
    callUsage: {
      on: { attributes: [...rawUsageNames.all, ...responseNames.all, ...thoughtsNames.all] },
      read(reading, told) {
        const raw = reading.object(rawUsageNames) ?? usageInResponse(reading)
        if (raw === null) addThoughts(reading, told)
        else fillFromProviderUsage(raw, told, reading.flags)
      },
    },
  },
}
