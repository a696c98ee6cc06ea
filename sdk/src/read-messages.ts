// SDK. Converts the messages of an LLM call, in the formats of the common providers, to a list of instructions, answers and tool results.

/** `input`: text of the system or the user. `output`: text of the model, including its tool calls. `result`: the result of a tool call. */
export type PromptPart =
  | { readonly kind: 'input'; readonly text: string }
  | { readonly kind: 'output'; readonly text: string }
  | { readonly kind: 'result'; readonly callId: string | null; readonly text: string }

type Json = { readonly [key: string]: unknown }

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns a string as it is, and any other value as JSON. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === undefined || value === null) return ''
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    // A value that JSON cannot represent was not sent to a model either.
    return ''
  }
}

const resultTypes = new Set([
  'tool_result',
  'tool-result',
  'tool_call_response',
  'tool_response',
  'function_call_output',
  'function_response',
])
const resultKeys = ['output', 'result', 'response', 'content'] as const
const idKeys = ['tool_call_id', 'tool_use_id', 'toolCallId', 'call_id', 'id'] as const
const outputRoles = new Set(['assistant', 'model', 'ai'])
const resultRoles = new Set(['tool', 'function', 'tool_result', 'toolResult'])

function firstOf(object: Json, keys: readonly string[]): unknown {
  return keys.map((key) => object[key]).find((value) => value !== undefined && value !== null)
}

function readResult(object: Json): PromptPart {
  const id = firstOf(object, idKeys)
  return { kind: 'result', callId: typeof id === 'string' ? id : null, text: textOf(firstOf(object, resultKeys)) }
}

function readPart(part: unknown, kind: 'input' | 'output'): PromptPart {
  if (!isObject(part)) return { kind, text: textOf(part) }
  const type = part['type']
  if (typeof type === 'string' && resultTypes.has(type)) return readResult(part)
  const answered = part['functionResponse'] ?? part['function_response']
  if (isObject(answered)) return readResult(answered)
  return { kind, text: typeof part['text'] === 'string' ? part['text'] : textOf(part) }
}

function readMessage(message: unknown): PromptPart[] {
  if (!isObject(message)) return [{ kind: 'input', text: textOf(message) }]
  const { role, type } = message
  if (typeof type === 'string' && resultTypes.has(type)) return [readResult(message)]
  const kind = outputRoles.has(String(role)) || type === 'function_call' || type === 'reasoning' ? 'output' : 'input'
  const content = message['content'] ?? message['parts']
  if (resultRoles.has(String(role)) && !(Array.isArray(content) && content.some(isTypedResult)))
    return [readResult(message)]
  const parts = Array.isArray(content)
    ? content.map((part) => readPart(part, kind))
    : [{ kind, text: content === undefined ? textOf(message) : textOf(content) } as const]
  const calls = message['tool_calls'] ?? message['function_call']
  return calls === undefined || calls === null ? parts : [...parts, { kind: 'output', text: textOf(calls) }]
}

const isTypedResult = (part: unknown): boolean =>
  isObject(part) &&
  ((typeof part['type'] === 'string' && resultTypes.has(part['type'])) ||
    isObject(part['functionResponse'] ?? part['function_response']))

/**
 * Reads messages of OpenAI (chat and responses), Anthropic, Gemini, the Vercel AI SDK and OpenTelemetry. A message of an unknown shape
 * counts as `input` as a whole.
 */
export function readMessages(messages: unknown): PromptPart[] {
  return (Array.isArray(messages) ? messages : [messages]).flatMap(readMessage)
}
