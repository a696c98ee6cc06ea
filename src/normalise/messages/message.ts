// Reads one message from an object of any dialect.
import type { Message, MessagePart, ToolCallPart } from '../../event/event.ts'
import type { Flag } from '../../event/flag.ts'
import { bounded } from '../attribute.ts'
import { isObject, type JsonObject, parseStructure, structureOr, textOf } from '../json.ts'
import { readCall, readKnownPart, readPart } from './part.ts'

/** The most parts of one message that are kept. */
const maxParts = 1_000
const maxRoleChars = 64

/** LangChain names roles by types and classes. */
const langchainTypes: readonly (readonly [string, string])[] = [
  ['human', 'user'],
  ['ai', 'assistant'],
  ['system', 'system'],
  ['tool', 'tool'],
  ['HumanMessage', 'user'],
  ['HumanMessageChunk', 'user'],
  ['AIMessage', 'assistant'],
  ['AIMessageChunk', 'assistant'],
  ['SystemMessage', 'system'],
  ['ToolMessage', 'tool'],
  ['FunctionMessage', 'tool'],
]
const rolesByType: ReadonlyMap<string, string> = new Map(langchainTypes)
const rolesByName: ReadonlyMap<string, string> = new Map([
  ...langchainTypes,
  ['model', 'assistant'],
  ['function', 'tool'],
])

/** The standard's roles. Koog writes them with a capital letter. */
const knownRole = /^(?:system|user|assistant|tool|developer)$/i

/** Returns the role that an object states; null where it states none. */
export function roleOf(object: JsonObject, flags: Set<Flag>): string | null {
  const role = textOf(object['role'])
  if (role !== null) {
    const known = rolesByName.get(role) ?? (knownRole.test(role) ? role.toLowerCase() : role)
    return bounded(known, maxRoleChars, flags)
  }
  const type = textOf(object['type'])
  const typed = type === null ? undefined : rolesByType.get(type)
  if (typed !== undefined) return typed
  const id = object['id']
  const last = Array.isArray(id) ? id.at(-1) : undefined
  return typeof last === 'string' ? (rolesByType.get(last) ?? null) : null
}

/** Returns the parts of a text that is a JSON list of typed parts, as Traceloop and Strands write it; null for other texts. */
function partsInText(text: string, flags: Set<Flag>): unknown[] | null {
  if (!text.startsWith('[{')) return null
  const list = parseStructure(text, flags)
  return Array.isArray(list) && list.every((item) => readKnownPart(item, flags) !== null) ? list : null
}

function addContent(content: unknown, parts: MessagePart[], flags: Set<Flag>): void {
  const list = Array.isArray(content)
    ? content
    : (typeof content === 'string' && partsInText(content, flags)) || [content]
  for (const item of list) {
    const part = readPart(item, flags)
    if (part !== null) parts.push(part)
    if (parts.length > maxParts) break
  }
}

const keyOf = ({ id, name }: ToolCallPart): string | null => (id === null ? null : `${id} ${name}`)

/**
 * Adds the calls in a message's list of calls, without those that its content already has: LangChain for JavaScript reports a call in both,
 * in the content as Anthropic does.
 */
function addCalls(object: JsonObject, parts: MessagePart[], flags: Set<Flag>): void {
  const calls = structureOr(object['tool_calls'] ?? object['toolCalls'], flags)
  if (Array.isArray(calls)) {
    const told = new Set(parts.flatMap((part) => (part.type === 'tool_call' ? (keyOf(part) ?? []) : [])))
    for (const listed of calls.slice(0, maxParts)) {
      const call = isObject(listed) ? readCall(listed, flags) : null
      if (call !== null && !told.has(keyOf(call) ?? '')) parts.push(call)
    }
  }
  const single = structureOr(object['function_call'], flags)
  if (isObject(single) && !Array.isArray(calls)) parts.push(readCall(single, flags))
  const name = textOf(object['function_call_name'])
  if (name !== null) parts.push(readCall({ name, arguments: object['function_call_arguments_json'] }, flags))
}

const memberKeys = ['content', 'parts', 'contents', 'tool_calls', 'toolCalls', 'function_call', 'function_call_name']

/** Whether an object has a member that makes it a message, apart from a role. */
export const hasMessageBody = (object: JsonObject): boolean => memberKeys.some((key) => key in object)

/** Returns the message in an object that has a body. The content of a tool's message becomes one tool_result part with the call's id. */
export function readMessage(object: JsonObject, role: string, flags: Set<Flag>): Message {
  const parts: MessagePart[] = []
  const thoughts = textOf(object['reasoning_content']) ?? textOf(object['reasoning']) ?? textOf(object['thinking'])
  if (thoughts !== null) parts.push({ type: 'reasoning', text: thoughts })
  const content = object['content'] ?? object['parts'] ?? object['contents']
  if (role === 'tool') {
    const before = parts.length
    addContent(content, parts, flags)
    const hasResult = parts.some((part) => part.type === 'tool_result' || part.type === 'tool_call')
    if (!hasResult && content !== undefined && content !== null) {
      const id = object['tool_call_id'] ?? object['toolCallId'] ?? object['id']
      parts.length = before
      parts.push({ type: 'tool_result', id: textOf(id), result: structureOr(content, flags) })
    }
  } else {
    addContent(content, parts, flags)
  }
  addCalls(object, parts, flags)
  if (parts.length > maxParts) {
    parts.length = maxParts
    flags.add('truncated')
  }
  return { role, parts }
}
