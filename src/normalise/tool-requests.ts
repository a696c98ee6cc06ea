// Floor 1. The tools that a model asks for in its answer. Many instrumentations report the call of the model and not that of the tool.
import type { Kind, ToolRequest } from '../event/event.ts'
import { asLine } from '../event/tool-lines.ts'
import { anyOf } from '../otlp/names.ts'
import { among, has } from './attribute.ts'
import { readContentMessages } from './messages/content.ts'
import type { Reading } from './reading.ts'

/** Requests of one answer that are read. */
const maxRequests = 128

/** Where senders put an answer as one value, text or structure. */
const answerNames = anyOf(
  'gen_ai.output.messages',
  'output.value',
  'ai.response.toolCalls',
  'ai.result.toolCalls',
  'gen_ai.response.tool_calls',
  'langfuse.observation.output',
  'gen_ai.completion',
  'traceloop.entity.output',
  'response_data',
  'events',
  'all_messages_events',
  'gcp.vertex.agent.llm_response',
  'mlflow.spanOutputs',
  'genkit:output',
  'lmnr.span.output',
)
/** Where senders put each member of an answer into an attribute of its own. */
const flatNames = anyOf(
  'llm.output_messages.0.message.tool_calls.0.tool_call.function.name',
  'llm.output_messages.1.message.tool_calls.0.tool_call.function.name',
  'gen_ai.completion.0.tool_calls.0.name',
  'gen_ai.completion.0.function_call.name',
)
const answerEvents: ReadonlySet<string> = new Set([
  'gen_ai.choice',
  'gen_ai.content.completion',
  'gen_ai.client.inference.operation.details',
])
/** How OpenAI, Anthropic, Gemini, Bedrock and OpenTelemetry spell a request. An answer without it is not parsed. */
const mark = /tool_?call|tool_?use|function_?call/i

function mayRequest(reading: Reading): boolean {
  const { attributes, span } = reading
  if (has(attributes, flatNames)) return true
  for (const key of among(attributes, answerNames)) {
    const value = attributes.get(key)
    if (typeof value === 'string' ? mark.test(value) : typeof value === 'object' && value !== null) return true
  }
  return span.events.some(({ name }) => answerEvents.has(name))
}

/** In the order of the answer; at most 128, else `truncated`. Only of a call of a model. Cost: two look-ups; a parse of an answer with requests. */
export function readToolRequests(reading: Reading, kind: Kind): readonly ToolRequest[] {
  if (kind !== 'llm' || !mayRequest(reading)) return none
  const requests: ToolRequest[] = []
  for (const { parts } of readContentMessages(reading, 'output') ?? [])
    for (const part of parts) {
      if (part.type !== 'tool_call' || part.name === '') continue
      if (requests.length === maxRequests) {
        reading.flags.add('truncated')
        return requests
      }
      requests.push({ id: part.id === null ? null : asLine(part.id), name: asLine(part.name) })
    }
  return requests
}

const none: readonly ToolRequest[] = []
