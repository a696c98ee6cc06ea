// The dialect of Monocle. It lists what a span deals with as numbered entities, and reports content and counts as events.
import type { Kind } from '../../event/event.ts'
import { anyOf } from '../../event/names.ts'
import type { AttributeValue, SpanEvent } from '../../event/span.ts'
import { canonicalProvider } from '../../pricing/provider.ts'
import { asText, firstText, toPlain } from '../attribute.ts'
import { isObject, structureOr } from '../json.ts'
import type { Dialect, MessageRead, TextRead, Way } from '../merge/definition.ts'
import { readMessages } from '../messages/list.ts'
import { findEvent, isOf, type SpanReading } from '../span-reading.ts'
import { excludesCacheItself } from '../usage/excluding-cache.ts'
import { fillFromUsage } from '../usage/provider-usage.ts'

const name = 'monocle'

/** More entities than Monocle lists on a span. */
const maxEntities = 8

type Entity = { readonly type: string; readonly name: string | null }

/** Returns the first entity whose type begins with `start`: `model.llm.gpt-4o`, `inference.openai`, `agent.langgraph`, `tool.function`. */
function findEntity({ attributes }: SpanReading, start: string): Entity | null {
  for (let at = 1; at <= maxEntities; at++) {
    const type = asText(attributes.get(`entity.${at}.type`))
    if (type?.startsWith(start)) return { type, name: asText(attributes.get(`entity.${at}.name`)) }
  }
  return null
}

const nameOf =
  (start: string, of: Kind): TextRead =>
  (reading, kind) =>
    kind === of ? (findEntity(reading, start)?.name ?? null) : null

const inference = 'inference.'
const providerOf: TextRead = (reading) =>
  canonicalProvider(findEntity(reading, inference)?.type.slice(inference.length).replace('_', '.') ?? '')

const usageEvents = ['metadata']
const contentEvents = { input: 'data.input', output: 'data.output' } as const
const contentNames = { input: 'input', output: 'response' } as const

/** Roles are the names of the members: `{"user": "…"}`, `{"assistant": "…"}`. Other members hold calls of tools. */
const roles = ['system', 'user', 'assistant', 'tool']

function asMessage(told: unknown): unknown {
  if (!isObject(told)) return told
  const role = roles.find((member) => member in told)
  const content: unknown = role === undefined ? told['tools'] : told[role]
  const calls = (Array.isArray(content) ? content : [told]).filter(isObject).filter((call) => 'tool_name' in call)
  if (calls.length === 0) return role === undefined ? told : { role, content }
  const asked = calls.map((call) => ({
    id: call['tool_id'],
    name: call['tool_name'],
    arguments: call['tool_arguments'],
  }))
  return { role: 'assistant', content: '', tool_calls: asked }
}

const messagesOfEvents: MessageRead = (reading, way) => {
  if (!isOf(reading, name)) return null
  const told = findEvent(reading, [contentEvents[way]])?.get(contentNames[way])
  if (told === undefined) return null
  const { flags } = reading
  const plain = toPlain(told, flags)
  const list = (Array.isArray(plain) ? plain : [plain]).map((item) => asMessage(structureOr(item, flags)))
  return readMessages(list, way === 'input' ? 'user' : 'assistant', flags)
}

const contentOfTool = (event: SpanEvent, way: Way): AttributeValue | undefined =>
  event.name === contentEvents[way] ? event.attributes.get(contentNames[way]) : undefined

const kinds: Readonly<Record<string, Kind>> = {
  inference: 'llm',
  'inference.framework': 'llm',
  // The request of a framework's client, inside the call: its model and counts are on the span around it alone.
  'inference.modelapi': 'chain',
  embedding: 'embedding',
  retrieval: 'retriever',
  workflow: 'chain',
  'agentic.turn': 'chain',
  'agentic.delegation': 'chain',
  'agentic.invocation': 'agent',
  'agentic.tool.invocation': 'tool',
  'agentic.mcp.invocation': 'tool',
}
const typeNames = anyOf('span.type')

export const monocle: Dialect = {
  name,
  marks: { scopes: ['monocle*'], attributes: ['monocle_apptrace.version'] },
  own: {
    contextAgent: [nameOf('agent.', 'agent')],
    provider: [providerOf],
    toolName: [nameOf('tool.', 'tool')],
  },
  lateMessages: [messagesOfEvents],
  content: { in: [contentEvents.input], out: [contentEvents.output] },
  reads: {
    kind: { on: { own: true }, read: ({ attributes }) => kinds[firstText(attributes, typeNames) ?? ''] ?? null },
    model: { on: { own: true }, read: (reading) => findEntity(reading, 'model.')?.name ?? null },
    callUsage: {
      on: { own: true },
      read(reading, told) {
        const usage = findEvent(reading, usageEvents)
        if (usage !== undefined) fillFromUsage(Object.fromEntries(usage), told, reading.flags)
      },
    },
    /** It passes on the counts of each provider as they are. */
    excludesCache: { on: { own: true }, read: (reading) => excludesCacheItself(providerOf(reading, 'llm')) },
    finishReason: { on: { own: true }, read: (reading) => findEvent(reading, usageEvents)?.get('finish_reason') },
    toolEvent: { on: { own: true }, read: contentOfTool },
  },
}
