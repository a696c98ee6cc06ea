// The dialect of LangChain's data that OpenInference or Traceloop passes on: the metadata of a run, and the message of a tool.
import type { Flag } from '../../event/flag.ts'
import { anyOf } from '../../event/names.ts'
import { canonicalProvider } from '../../pricing/provider.ts'
import { asText, bounded, maxNameChars } from '../attribute.ts'
import { isObject, type JsonObject } from '../json.ts'
import type { Dialect, TextRead, ToolMessage } from '../merge/definition.ts'
import { isOf, type SpanReading } from '../span-reading.ts'
import { readCount, readOutputOf } from '../usage/count.ts'
import type { ReportedUsage } from '../usage/reported-usage.ts'

const name = 'langchain'
const outputNames = anyOf('output.value')
const metadataNames = anyOf('metadata')
const toolOutputNames = anyOf('traceloop.entity.output')

type Note = 'lc_agent_name' | 'ls_provider' | 'user_id'

export const isLangChain = (reading: SpanReading): boolean => isOf(reading, name)

/** Returns one entry of a run's metadata. Cost: the metadata is parsed once a span. */
function readNote(reading: SpanReading, note: Note): string | null {
  const value = reading.object(metadataNames)?.[note]
  return typeof value === 'string' ? asText(value) : null
}

/** Returns the agent that `create_agent` records in the metadata. */
export const readLangChainAgent: TextRead = (reading) => readNote(reading, 'lc_agent_name')

const notedProvider: TextRead = (reading) => {
  const noted = readNote(reading, 'ls_provider')
  return noted === null ? null : canonicalProvider(noted)
}

/** Returns the message that a model call returned; null if it returned several. */
function readLangChainAnswer(reading: SpanReading): JsonObject | null {
  const generations = reading.object(outputNames)?.['generations']
  const answers: unknown = Array.isArray(generations) && generations.length === 1 ? generations[0] : null
  const answer: unknown = Array.isArray(answers) && answers.length === 1 ? answers[0] : null
  const message = isObject(answer) ? answer['message'] : undefined
  const fields = isObject(message) ? message['kwargs'] : undefined
  return isObject(fields) ? fields : null
}

/** Returns the id of that message, which is the provider's response id. */
export function readLangChainMessageId(reading: SpanReading): string | null {
  const id = readLangChainAnswer(reading)?.['id']
  return typeof id === 'string' ? bounded(id, maxNameChars, reading.flags) : null
}

/** Returns the UsageMetadata of that message. */
export function readLangChainUsage(reading: SpanReading): JsonObject | null {
  const usage = readLangChainAnswer(reading)?.['usage_metadata']
  return isObject(usage) ? usage : null
}

/** Fills in missing counts from UsageMetadata, of which LangSmith repeats only the totals as attributes. Its input includes the cache. */
export function fillFromLangChain(usage: JsonObject, told: ReportedUsage, flags: Set<Flag>): void {
  told.input ??= readCount(usage['input_tokens'], flags)
  told.output ??= readOutputOf(told)(usage['output_tokens'], flags)
  fillFromDetails(usage['input_token_details'], usage['output_token_details'], told, flags)
}

export function fillFromDetails(input: unknown, output: unknown, told: ReportedUsage, flags: Set<Flag>): void {
  if (isObject(input)) {
    told.cached ??= readCount(input['cache_read'], flags)
    told.cacheWrite ??= readCount(input['cache_creation'], flags)
    told.cacheWrite5m ??= readCount(input['ephemeral_5m_input_tokens'], flags)
    // The second name is used by LangSmith for the Claude Agent SDK.
    told.cacheWrite1h ??= readCount(input['ephemeral_1h_input_tokens'] ?? input['ephemeral_1hr_input_tokens'], flags)
  }
  if (isObject(output)) told.reasoning ??= readCount(output['reasoning'], flags)
}

/** Returns the members of the tool message that LangChain reports as the result of a tool called by an agent; null for any other result. */
function readMessageFields(result: unknown): JsonObject | null {
  if (!isObject(result)) return null
  const message = isObject(result['output']) ? result['output'] : result
  const fields = isObject(message['kwargs']) ? message['kwargs'] : message
  return typeof fields['tool_call_id'] === 'string' ? fields : null
}

/** Returns the result and the call's id from a tool message. The actual result is its content, and only the message names the call. */
function readToolMessage(result: unknown): ToolMessage | null {
  const fields = readMessageFields(result)
  return fields === null ? null : { toolCallId: String(fields['tool_call_id']), result: fields['content'] ?? null }
}

/** Returns the name of the tool that a tool message states. Traceloop for JavaScript has only the class of the tool, in the span's name. */
const toolOfMessage: TextRead = (reading) => {
  const tool = readMessageFields(reading.object(toolOutputNames))?.['name']
  return typeof tool === 'string' ? asText(tool) : null
}

/** The exceptions by which LangGraph hands over to another agent, waits for a person, or stops for now. All are a `GraphBubbleUp`. */
const signals = '(?:ParentCommand|GraphInterrupt|NodeInterrupt|GraphBubbleUp|GraphDrained)'
const signalType = new RegExp(`^(?:langgraph\\.errors\\.)?${signals}$`)
/** Some instrumentations lose the class. Then the message begins with it, or has a stack of JavaScript. */
const signalOfPython = new RegExp(`^${signals}\\(`)
const signalInStack = new RegExp(`^${signals}(?:: |\\n {4}at )`, 'm')

function isSignal(type: string | null, message: string | null): boolean {
  // LangSmith for Python has this type for all exceptions, OpenInference for JavaScript has none.
  if (type !== null && type !== 'Exception') return signalType.test(type)
  return message !== null && (signalOfPython.test(message) || signalInStack.test(message))
}

export const langChain: Dialect = {
  name,
  marks: { scopes: ['*langchain*'] },
  own: {
    // Traceloop writes the metadata of a run as properties. Only on LangChain's own spans are they those of the span's own run.
    contextAgent: [readLangChainAgent, 'traceloop.association.properties.lc_agent_name'],
    user: [(reading) => readNote(reading, 'user_id')],
    provider: [notedProvider],
    toolName: [toolOfMessage],
  },
  toolMessage: readToolMessage,
  reads: {
    isSignal,
    /** LangChain uses the id of its own run for a streamed answer. It is not an id of the provider. */
    isRunId: (id) => /^(?:lc_)?run-/.test(id),
  },
}
