// Reads the messages in a JSON value: a list, a request, a response, or one of the envelopes that frameworks use.
import type { Message, MessagePart } from '../../event/event.ts'
import type { Flag } from '../../event/flag.ts'
import { isObject, type JsonObject, parseStructure, textOf } from '../json.ts'
import { hasMessageBody, readMessage, roleOf } from './message.ts'
import { asJsonText, isTypedPart, readKnownPart, readPart } from './part.ts'

/** The most messages of one list that are kept. */
export const maxMessages = 1_000
/** The most nested envelopes: a LangChain result nests five. */
const maxEnvelopes = 8

type Reader = { readonly into: Message[]; readonly role: string; readonly flags: Set<Flag> }

function push({ into, flags }: Reader, message: Message): true {
  if (into.length < maxMessages) into.push(message)
  else flags.add('truncated')
  return true
}

const pushText = (reader: Reader, role: string, text: string): boolean =>
  text !== '' && push(reader, { role, parts: [{ type: 'text', text }] })

/** Returns the role of a part that is in a list without a message around it: the role that would write such a part. */
function roleOfPart(part: MessagePart, role: string): string {
  if (part.type === 'tool_result') return 'tool'
  return part.type === 'tool_call' && role === 'user' ? 'assistant' : role
}

/** Whether a member of a list is a part rather than a message or an envelope. */
function isLoosePart(item: unknown): boolean {
  if (!isObject(item)) return typeof item === 'string'
  return isTypedPart(item) || !('role' in item || isObject(item['message']) || hasMessageBody(item))
}

type LooseParts = { readonly role: string; readonly parts: MessagePart[] }

function readList(list: readonly unknown[], reader: Reader, depth: number): boolean {
  let isKnown = false
  let loose: LooseParts | undefined
  for (const item of list.slice(0, maxMessages)) {
    const known = isLoosePart(item) ? readKnownPart(item, reader.flags) : null
    if (known === null && readStructure(item, reader, depth + 1)) {
      isKnown = true
      loose = undefined
      continue
    }
    isKnown ||= known !== null
    const part = known ?? readPart(item, reader.flags)
    if (part === null) continue
    const role = roleOfPart(part, reader.role)
    if (loose?.role === role) {
      loose.parts.push(part)
    } else {
      loose = { role, parts: [part] }
      push(reader, loose)
    }
  }
  if (list.length > maxMessages) reader.flags.add('truncated')
  return isKnown
}

function addSystem(object: JsonObject, reader: Reader): void {
  const config = isObject(object['config']) ? object['config'] : object
  const system =
    object['system'] ??
    object['system_prompt'] ??
    object['instructions'] ??
    config['system_instruction'] ??
    config['systemInstruction']
  if (system === undefined || system === null || system === '') return
  if (isObject(system) && hasMessageBody(system)) push(reader, readMessage(system, 'system', reader.flags))
  else push(reader, readMessage({ content: system }, 'system', reader.flags))
}

/** The members of an envelope that hold messages. */
const requestKeys = ['messages', 'contents', 'prompt', 'input']
const responseKeys = [
  'message',
  'choices',
  'candidates',
  'generations',
  'replies',
  'output',
  'delta',
  'kwargs',
  'data',
  'content',
]

/** Whether a text member is the input of a request. A request has settings beside its input; any other object is plain data. */
function isRequestText(object: JsonObject, key: string): boolean {
  if (key === 'input') return 'model' in object
  return 'model' in object || 'system' in object || Object.keys(object).length === 1
}

function readEnvelope(object: JsonObject, reader: Reader, depth: number): boolean {
  for (const key of requestKeys) {
    const inner = object[key]
    const isText = typeof inner === 'string' && isRequestText(object, key)
    if (!isText && !Array.isArray(inner)) continue
    const before = reader.into.length
    addSystem(object, reader)
    if (isText ? pushText(reader, reader.role, inner) : readStructure(inner, reader, depth + 1)) return true
    reader.into.length = before
  }
  return responseKeys.some((key) => readStructure(object[key], reader, depth + 1))
}

/** Reads an object or a list of a known form that holds messages. For any other value it reads nothing and returns false. */
function readStructure(value: unknown, reader: Reader, depth: number): boolean {
  if (typeof value !== 'object' || value === null || depth > maxEnvelopes) return false
  if (Array.isArray(value)) {
    const before = reader.into.length
    if (readList(value, reader, depth)) return true
    reader.into.length = before
    return false
  }
  const object = value as JsonObject
  const role = roleOf(object, reader.flags)
  // LangChain's constructor form keeps the message's members in `kwargs` or `data` and its role outside.
  const inner = object['kwargs'] ?? object['data']
  if (role !== null && isObject(inner) && hasMessageBody(inner))
    return push(reader, readMessage(inner, role, reader.flags))
  if (role !== null && hasMessageBody(object)) return push(reader, readMessage(object, role, reader.flags))
  if (Array.isArray(object['parts'])) return push(reader, readMessage(object, reader.role, reader.flags))
  if (readEnvelope(object, reader, depth)) return true
  const text = textOf(object['text'])
  if (text !== null && depth > 0) return pushText(reader, reader.role, text)
  return 'tool_calls' in object && push(reader, readMessage(object, reader.role, reader.flags))
}

/**
 * Returns the messages in a plain JSON value or a text. `role`: the role of content that states none. Content of an unknown form is kept as
 * text. At most 1,000 messages; more set `truncated`. Cost: one parse and one walk.
 */
export function readMessages(value: unknown, role: string, flags: Set<Flag>): Message[] {
  const reader: Reader = { into: [], role, flags }
  if (value === undefined || value === null) return reader.into
  const structure = typeof value === 'string' ? parseStructure(value, flags) : value
  if (structure !== undefined && readStructure(structure, reader, 0)) return reader.into
  const isEmpty = typeof structure === 'object' && structure !== null && Object.keys(structure).length === 0
  if (!isEmpty) pushText(reader, role, asJsonText(value))
  return reader.into
}
