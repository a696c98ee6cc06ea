// Floor 1. What went into a span and what came out, as messages, from the first dialect that carries it.
import type { Message } from '../../event/event.ts'
import { asText, toPlain } from '../attribute.ts'
import { isObject, parseStructure, structureOr } from '../json.ts'
import type { Reading } from '../reading.ts'
import { readIndexed } from './indexed.ts'
import { readMessages } from './list.ts'
import { readSpanEvents } from './span-events.ts'
import { readStandard } from './standard.ts'

type Way = 'input' | 'output'
type Source = (reading: Reading, way: Way) => readonly Message[] | null

const defaultRole = (way: Way) => (way === 'input' ? 'user' : 'assistant')

/** Reads attributes that hold messages, a request, a response or plain text. */
function inAttributes(input: readonly string[], output: readonly string[]): Source {
  return ({ attributes, flags }, way) => {
    for (const name of way === 'input' ? input : output) {
      const value = attributes.get(name)
      if (value === undefined || value === null || value === '') continue
      const messages = readMessages(typeof value === 'string' ? value : toPlain(value, flags), defaultRole(way), flags)
      if (messages.length > 0) return messages
    }
    return null
  }
}

function indexed(inputPrefix: string, outputPrefix: string): Source {
  return ({ attributes, flags }, way) => {
    const list = readIndexed(attributes, way === 'input' ? inputPrefix : outputPrefix, flags)
    return list === null ? null : readMessages(list, defaultRole(way), flags)
  }
}

/** Answers that come in pieces: text, thoughts and tool calls in attributes of their own. */
function pieces(text: string, reasoning: string, calls: string, object: string): Source {
  return ({ attributes, flags }, way) => {
    if (way === 'input') return null
    const toolCalls = structureOr(toPlain(attributes.get(calls) ?? null, flags), flags)
    const said = asText(attributes.get(text)) ?? asText(attributes.get(object))
    // Sentry writes the texts of all choices as one JSON list.
    const texts = said?.startsWith('["') ? parseStructure(said, flags) : undefined
    const thought = asText(attributes.get(reasoning))
    const hasCalls = Array.isArray(toolCalls) && toolCalls.length > 0
    if (said === null && thought === null && !hasCalls) return null
    return readMessages(
      {
        role: 'assistant',
        content: Array.isArray(texts) ? texts : (said ?? ''),
        ...(thought === null ? {} : { reasoning: thought }),
        ...(hasCalls ? { tool_calls: toolCalls } : {}),
      },
      'assistant',
      flags,
    )
  }
}

/** Pydantic AI's list of events holds both ways; the choice is what came out. */
const pydanticEvents: Source = ({ attributes, flags, isPydanticAi }, way) => {
  const value = isPydanticAi ? attributes.get('events') : undefined
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

const pydanticText = inAttributes(
  ['pydantic_ai.all_messages', 'all_messages_events', 'prompt', 'request_data'],
  ['final_result', 'response_data'],
)

const spanEvents: Source = ({ span, flags }, way) =>
  span.events.length === 0 ? null : (readSpanEvents(span.events, flags)?.[way] ?? null)

const claudePrompt = inAttributes(['user_prompt'], [])

/** In order of precedence; the first that gives a message wins. */
const sources: readonly Source[] = [
  inAttributes(['langfuse.observation.input'], ['langfuse.observation.output']),
  ({ attributes, flags }, way) => readStandard(attributes, way, flags),
  inAttributes(['ai.prompt.messages', 'ai.prompt'], []),
  pieces('ai.response.text', 'ai.response.reasoning', 'ai.response.toolCalls', 'ai.response.object'),
  pieces('ai.result.text', 'ai.result.reasoning', 'ai.result.toolCalls', 'ai.result.object'),
  pieces('gen_ai.response.text', 'gen_ai.response.reasoning', 'gen_ai.response.tool_calls', 'gen_ai.response.object'),
  indexed('llm.input_messages.', 'llm.output_messages.'),
  inAttributes(['input.value'], ['output.value']),
  indexed('gen_ai.prompt.', 'gen_ai.completion.'),
  inAttributes(['gen_ai.prompt', 'traceloop.entity.input'], ['gen_ai.completion', 'traceloop.entity.output']),
  (reading, way) =>
    reading.isPydanticAi || reading.attributes.has('all_messages_events') ? pydanticText(reading, way) : null,
  pydanticEvents,
  inAttributes(
    [
      'gcp.vertex.agent.llm_request',
      'mlflow.spanInputs',
      'genkit:input',
      'lmnr.span.input',
      'lk.chat_ctx',
      'lk.user_input',
    ],
    [
      'gcp.vertex.agent.llm_response',
      'response.model_output',
      'mlflow.spanOutputs',
      'genkit:output',
      'lmnr.span.output',
      'lk.response.text',
    ],
  ),
  (reading, way) => (reading.isClaudeCode ? claudePrompt(reading, way) : null),
  spanEvents,
]

/** The messages of one span one way; null where it carries none. Parses only the winner's content. */
export function readContentMessages(reading: Reading, way: Way): readonly Message[] | null {
  for (const source of sources) {
    const messages = source(reading, way)
    if (messages !== null && messages.length > 0) return messages
  }
  return null
}
