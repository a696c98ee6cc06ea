// Reads messages that were sent as events of the span: the older OpenTelemetry conventions, Strands and OpenLIT.
import type { Message } from '../../event/event.ts'
import type { Flag } from '../../event/flag.ts'
import type { AttributeMap, SpanEvent } from '../../event/span.ts'
import { asText, toPlain } from '../attribute.ts'
import { isObject, parseStructure } from '../json.ts'
import { maxMessages, readMessages } from './list.ts'
import { readStandard } from './opentelemetry-messages.ts'

const rolesOfEvents: ReadonlyMap<string, string> = new Map([
  ['gen_ai.system.message', 'system'],
  ['gen_ai.user.message', 'user'],
  ['gen_ai.assistant.message', 'assistant'],
  ['gen_ai.tool.message', 'tool'],
])

export type EventMessages = { readonly input: readonly Message[]; readonly output: readonly Message[] }

/** Returns the body of an event. Azure's SDK writes it as JSON into one attribute, others write one attribute for each member. */
function bodyOf(attributes: AttributeMap, flags: Set<Flag>): unknown {
  const text = attributes.get('gen_ai.event.content')
  const body = typeof text === 'string' ? parseStructure(text, flags) : undefined
  return isObject(body) ? body : toPlain(attributes, flags)
}

function readMessageEvent(attributes: AttributeMap, role: string, flags: Set<Flag>): Message[] {
  const body = bodyOf(attributes, flags)
  return isObject(body) ? readMessages({ role, ...body }, role, flags) : []
}

/** Reads a choice. It has its message in `message`, as an object, as JSON text or as plain text, or it is the message itself. */
function readChoice(attributes: AttributeMap, flags: Set<Flag>): Message[] {
  const body = bodyOf(attributes, flags)
  if (!isObject(body)) return []
  const { message } = body
  if (message === undefined) return readMessages({ role: 'assistant', ...body }, 'assistant', flags)
  const inner = typeof message === 'string' ? (parseStructure(message, flags) ?? message) : message
  if (!isObject(inner)) return readMessages(inner, 'assistant', flags)
  const calls = body['tool_calls'] === undefined ? {} : { tool_calls: body['tool_calls'] }
  return readMessages({ role: 'assistant', ...calls, ...inner }, 'assistant', flags)
}

/** Returns the messages in a span's events, in the order of the events; null where there are none. At most 1,000 of input and of output. */
export function readSpanEvents(events: readonly SpanEvent[], flags: Set<Flag>): EventMessages | null {
  const input: Message[] = []
  const output: Message[] = []
  for (const { name, attributes } of events) {
    // A content mode that removes the content of an event leaves the event without attributes.
    if (attributes.size === 0) continue
    const role = rolesOfEvents.get(name)
    if (role !== undefined) input.push(...readMessageEvent(attributes, role, flags))
    else if (name === 'gen_ai.choice') output.push(...readChoice(attributes, flags))
    else if (name === 'gen_ai.content.prompt')
      input.push(...readMessages(asText(attributes.get('gen_ai.prompt')), 'user', flags))
    else if (name === 'gen_ai.content.completion') {
      output.push(...readMessages(asText(attributes.get('gen_ai.completion')), 'assistant', flags))
    } else if (name === 'gen_ai.client.inference.operation.details') {
      input.push(...(readStandard(attributes, 'input', flags) ?? []))
      output.push(...(readStandard(attributes, 'output', flags) ?? []))
    }
    if (input.length > maxMessages || output.length > maxMessages) {
      flags.add('truncated')
      break
    }
  }
  if (input.length === 0 && output.length === 0) return null
  return { input: input.slice(0, maxMessages), output: output.slice(0, maxMessages) }
}
