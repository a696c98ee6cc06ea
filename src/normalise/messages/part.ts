// Reads one part of a message, in the forms of OpenTelemetry, OpenAI, Anthropic, Gemini, Bedrock and Vercel.
import type { MessagePart, ToolCallPart } from '../../event/event.ts'
import type { Flag } from '../../event/flag.ts'
import { bounded, maxNameChars } from '../attribute.ts'
import { isObject, type JsonObject, structureOr, textOf } from '../json.ts'
import { readMedia } from './media.ts'

type PartForm = 'text' | 'reasoning' | 'call' | 'result' | 'media'

const forms: ReadonlyMap<string, PartForm> = new Map([
  ['text', 'text'],
  ['input_text', 'text'],
  ['output_text', 'text'],
  ['refusal', 'text'],
  ['reasoning', 'reasoning'],
  ['thinking', 'reasoning'],
  ['redacted_thinking', 'reasoning'],
  ['summary_text', 'reasoning'],
  ['tool_call', 'call'],
  ['tool_use', 'call'],
  ['tool-call', 'call'],
  ['function_call', 'call'],
  ['function', 'call'],
  ['custom_tool_call', 'call'],
  ['server_tool_use', 'call'],
  ['server_tool_call', 'call'],
  ['mcp_call', 'call'],
  ['mcp_tool_use', 'call'],
  ['tool_call_response', 'result'],
  ['tool_result', 'result'],
  ['tool-result', 'result'],
  ['tool-return', 'result'],
  ['tool_response', 'result'],
  ['function_call_output', 'result'],
  ['custom_tool_call_output', 'result'],
  ['server_tool_call_response', 'result'],
  ['web_search_tool_result', 'result'],
  ['image', 'media'],
  ['image_url', 'media'],
  ['image-url', 'media'],
  ['input_image', 'media'],
  ['input_audio', 'media'],
  ['audio', 'media'],
  ['input_file', 'media'],
  ['document', 'media'],
  ['blob', 'media'],
  ['uri', 'media'],
  ['file', 'media'],
])

/** Whether an object is a part by its type. An object with a role is a message, whatever its type. */
export const isTypedPart = (object: JsonObject): boolean =>
  typeof object['role'] !== 'string' && forms.has(textOf(object['type']) ?? textOf(object['part_kind']) ?? '')

const idKeys = ['id', 'tool_call_id', 'toolCallId', 'tool_use_id', 'toolUseId', 'ref']
const callIdKeys = ['call_id', ...idKeys]
const resultIdKeys = ['tool_call_id', 'tool_use_id', 'toolCallId', 'toolUseId', 'call_id', 'id', 'ref']
const nameKeys = ['name', 'toolName', 'tool_name']
/** The last of each is a member of the standard's parts for tools that the provider runs, which is named as the type of the part. */
const argumentKeys = ['arguments', 'input', 'args', 'server_tool_call']
const resultKeys = ['response', 'result', 'content', 'output', 'server_tool_call_response']

const firstOf = (object: JsonObject, keys: readonly string[]): unknown => {
  for (const key of keys) if (object[key] !== undefined && object[key] !== null) return object[key]
  return null
}

function idOf(object: JsonObject, keys: readonly string[], flags: Set<Flag>): string | null {
  const id = firstOf(object, keys)
  return (typeof id === 'string' && id !== '') || typeof id === 'number'
    ? bounded(String(id), maxNameChars, flags)
    : null
}

/** The types of calls that a provider runs itself: Anthropic's, OpenAI's and OpenTelemetry's. */
const providerTypes: ReadonlySet<unknown> = new Set(['server_tool_use', 'mcp_tool_use', 'mcp_call', 'server_tool_call'])
/** OpenAI's types of items that have no name, so that OpenInference uses the type as the name. */
const providerNames: ReadonlySet<string> = new Set(['web_search_call', 'file_search_call'])
/** Anthropic's ids of such calls: the only sign where an instrumentation uses one type for all calls. */
const providerId = /^(?:srvtoolu|mcptoolu)_/

/** Whether the provider ran the call itself. Vercel's AI SDK (`providerExecuted`) and pydantic-ai (`builtin`) state it explicitly. */
const isProviderExecuted = (object: JsonObject, id: string | null, name: string): boolean =>
  providerTypes.has(object['type']) ||
  object['providerExecuted'] === true ||
  object['builtin'] === true ||
  providerNames.has(name) ||
  (id !== null && providerId.test(id))

/** Returns the tool call in an object. The function's name and arguments may be one level down. */
export function readCall(object: JsonObject, flags: Set<Flag>): ToolCallPart {
  const inner = isObject(object['function']) ? object['function'] : object
  const id = idOf(object, callIdKeys, flags)
  const name = bounded(textOf(firstOf(inner, nameKeys)) ?? textOf(object['name']) ?? '', maxNameChars, flags)
  const call = { type: 'tool_call', id, name, arguments: structureOr(firstOf(inner, argumentKeys), flags) } as const
  return isProviderExecuted(object, id, name) ? { ...call, provider_executed: true } : call
}

/** Returns the tool's result in an object. OpenTelemetry names it `response`, older conventions name it `result`. */
function readResult(object: JsonObject, flags: Set<Flag>): MessagePart {
  return {
    type: 'tool_result',
    // Haystack's result has the call inside it.
    id:
      idOf(object, resultIdKeys, flags) ?? idOf(isObject(object['origin']) ? object['origin'] : {}, callIdKeys, flags),
    result: structureOr(firstOf(object, resultKeys), flags),
  }
}

const thoughtOf = (value: unknown): string => (isObject(value) ? textOf(value['text']) : textOf(value)) ?? ''

function reasoningOf(object: JsonObject): string {
  const thought = firstOf(object, ['text', 'thinking', 'content', 'reasoning', 'summary', 'data'])
  return Array.isArray(thought) ? thought.map(thoughtOf).join('\n') : thoughtOf(thought)
}

/** Returns the text for a value of an unknown form: its JSON, so that nothing is lost. */
export const asJsonText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const mediaKeys = ['inline_data', 'inlineData', 'file_data', 'fileData', 'image', 'media']

/** Reads a part without a type (Gemini, Bedrock, Genkit, Haystack), which is identified by its single member. */
function readUntyped(part: JsonObject, flags: Set<Flag>): MessagePart | null {
  if (typeof part['text'] === 'string') {
    return { type: part['thought'] === true ? 'reasoning' : 'text', text: part['text'] }
  }
  const call =
    part['function_call'] ?? part['functionCall'] ?? part['toolUse'] ?? part['toolRequest'] ?? part['tool_call']
  if (isObject(call)) return readCall(call, flags)
  const result =
    part['function_response'] ??
    part['functionResponse'] ??
    part['toolResult'] ??
    part['toolResponse'] ??
    part['tool_call_result']
  if (isObject(result)) return readResult(result, flags)
  const reasoning = part['reasoningContent']
  if (isObject(reasoning)) return { type: 'reasoning', text: reasoningOf({ text: reasoning['reasoningText'] }) }
  return mediaKeys.some((key) => isObject(part[key])) ? readMedia(part) : null
}

const readers: { readonly [form in PartForm]: (part: JsonObject, flags: Set<Flag>) => MessagePart | null } = {
  text: (part) => {
    const text = firstOf(part, ['text', 'content', 'refusal'])
    return text === null ? null : { type: 'text', text: asJsonText(text) }
  },
  reasoning: (part) => ({ type: 'reasoning', text: reasoningOf(part) }),
  call: readCall,
  result: readResult,
  media: (part) => readMedia(part),
}

/** Returns the part in a JSON value; null where its form is unknown. */
export function readKnownPart(value: unknown, flags: Set<Flag>): MessagePart | null {
  if (typeof value === 'string') return { type: 'text', text: value }
  if (!isObject(value)) return null
  const type = textOf(value['type']) ?? textOf(value['part_kind'])
  const form = type === null ? undefined : forms.get(type)
  if (form === undefined) return readUntyped(value, flags)
  return readers[form](value, flags)
}

/** Returns the part in a JSON value. A value of an unknown form is kept as its JSON text. Null and the empty text give null. */
export function readPart(value: unknown, flags: Set<Flag>): MessagePart | null {
  if (value === null || value === undefined || value === '') return null
  return readKnownPart(value, flags) ?? { type: 'text', text: asJsonText(value) }
}
