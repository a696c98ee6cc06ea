// The dialect of Haystack's own tracing, in any scope: the application passes its tracer to Haystack.
import type { Kind } from '../../../event/event.ts'
import { anyOf } from '../../../event/names.ts'
import { firstText } from '../../attribute.ts'
import { isObject, type JsonObject, textOf } from '../../json.ts'
import type { Dialect, TextRead } from '../../merge/definition.ts'
import { inAttributes } from '../../messages/sources.ts'
import type { SpanReading } from '../../span-reading.ts'
import { fillFromProviderUsage, usageOfAnswer } from '../../usage/provider-usage.ts'

const typeNames = anyOf('haystack.component.type')
const nameNames = anyOf('haystack.component.name')
const inputs = ['haystack.agent.step.llm.input', 'haystack.component.input']
const outputs = ['haystack.agent.step.llm.output', 'haystack.component.output']
const outputNames = anyOf(...outputs)
const toolSpan = 'haystack.agent.step.tool'
const toolOutputNames = anyOf('haystack.agent.step.tool.output')

const kindsOfSpans: ReadonlyMap<string, Kind> = new Map([
  ['haystack.pipeline.run', 'chain'],
  ['haystack.async_pipeline.run', 'chain'],
  ['haystack.agent.run', 'agent'],
  ['haystack.agent.step', 'chain'],
  ['haystack.agent.step.llm', 'llm'],
  [toolSpan, 'tool'],
])

/** By the end of the class of a component. Haystack and its integrations name their classes by what they do. */
const kindsOfComponents: readonly (readonly [end: string, kind: Kind])[] = [
  ['ImageGenerator', 'chain'],
  ['Generator', 'llm'],
  ['Embedder', 'embedding'],
  ['Retriever', 'retriever'],
  ['Ranker', 'reranker'],
  ['Agent', 'agent'],
]

function kindOf({ span, attributes }: SpanReading): Kind | null {
  const type = firstText(attributes, typeNames)
  if (type === null) return kindsOfSpans.get(span.name) ?? null
  return kindsOfComponents.find(([end]) => type.endsWith(end))?.[1] ?? 'chain'
}

/** An agent has the name of its component, if it is in a pipeline. */
const agentName: TextRead = ({ attributes }, kind) => (kind === 'agent' ? firstText(attributes, nameNames) : null)

/**
 * Returns what a component reports of its model's answer: in the first reply, or beside the replies or the embedding. Each reply has the
 * usage of all of them.
 */
function readMeta(reading: SpanReading): JsonObject | null {
  const output = reading.object(outputNames)
  const reply: unknown = Array.isArray(output?.['replies']) ? output['replies'][0] : undefined
  const meta = isObject(reply) ? reply['meta'] : output?.['meta']
  const first: unknown = Array.isArray(meta) ? meta[0] : meta
  return isObject(first) ? first : null
}

const responseId: TextRead = (reading, kind) => (kind === 'llm' ? textOf(readMeta(reading)?.['id']) : null)

/** How each message of Haystack about a tool that failed begins. A tool may also return an object with an error of its own. */
const failureStart = /^(?:Failed to invoke Tool |Tool `[^`]*` has no sync `function`)/

/** Returns the message of a tool that failed. Haystack writes it in place of the result, and leaves the status of the span as it is. */
function failureOfTool(reading: SpanReading): string | null {
  const output = reading.span.name === toolSpan ? reading.object(toolOutputNames) : null
  if (output === null || Object.keys(output).length !== 1) return null
  const message = textOf(output['error'])
  return message !== null && failureStart.test(message) ? message : null
}

export const haystack: Dialect = {
  name: 'haystack',
  marks: { spans: ['haystack.'], attributes: ['haystack.component.type', 'haystack.tool.name'] },
  names: {
    toolName: ['haystack.tool.name'],
    toolArguments: ['haystack.agent.step.tool.input'],
    toolResult: ['haystack.agent.step.tool.output'],
  },
  own: { contextAgent: [agentName], responseId: [responseId] },
  messages: [inAttributes(inputs, outputs)],
  content: {
    in: [...inputs, 'haystack.agent.input', 'haystack.agent.step.tool.input', 'haystack.pipeline.input_data'],
    out: [...outputs, 'haystack.agent.output', 'haystack.agent.step.tool.output', 'haystack.pipeline.output_data'],
    apart: ['haystack.agent.tools', 'haystack.tool.description'],
  },
  reads: {
    kind: { on: { own: true }, read: kindOf },
    model: { on: { own: true }, read: (reading) => textOf(readMeta(reading)?.['model']) },
    hasFailed: { on: { attributes: toolOutputNames.all }, read: (reading) => failureOfTool(reading) !== null },
    failureMessage: { on: { attributes: toolOutputNames.all }, read: failureOfTool },
    finishReason: { on: { own: true }, read: (reading) => textOf(readMeta(reading)?.['finish_reason']) ?? undefined },
    callUsage: {
      on: { attributes: outputNames.all },
      read(reading, told) {
        const meta = readMeta(reading)
        const usage = meta === null ? null : usageOfAnswer(meta)
        if (usage !== null) fillFromProviderUsage(usage, told, reading.flags)
      },
    },
  },
}
