// The dialect of Rig, in Rust, in any scope: the application chooses the tracer. It uses OpenTelemetry's names, and passes on provider counts.
import { anyOf } from '../../../event/names.ts'
import { firstText } from '../../attribute.ts'
import type { Dialect } from '../../merge/definition.ts'
import { providerOf } from '../../provider-name.ts'
import type { SpanReading } from '../../span-reading.ts'
import { addThoughts } from '../../usage/add-thoughts.ts'
import { firstCount } from '../../usage/count.ts'
import { excludesCacheItself } from '../../usage/excluding-cache.ts'

/** `success`, `error`, `denied` (the tool declined the call) or `skipped`. */
const outcomeNames = anyOf('gen_ai.tool.call.outcome')
/** Present on each span with usage. What Gemini's own tools returned, which its prompt does not include. */
const toolUseNames = anyOf('gen_ai.usage.tool_use_prompt_tokens')

const operationNames = anyOf('gen_ai.operation.name')
const cacheWriteNames = anyOf('gen_ai.usage.cache_creation.input_tokens')

/**
 * Providers that Rig calls by OpenAI's API or by Anthropic's, under one name. True: its client for OpenAI's API has never named a stream
 * `chat_streaming`, as that for Anthropic's does.
 */
const withBothApis: ReadonlyMap<string | null, boolean> = new Map([
  ['minimax', true],
  ['xiaomimimo', true],
  ['z.ai', true],
  ['moonshot_ai', false],
])

/**
 * Whether one of these providers was called by Anthropic's API, whose input does not include the cache: the call is a stream of the client
 * for it, or wrote to the cache, which the client for OpenAI's API does not report. Other calls by the two APIs look the same.
 */
function isByAnthropicsApi(reading: SpanReading): boolean {
  const isNamedApart = withBothApis.get(providerOf(reading))
  if (isNamedApart === undefined) return false
  if (isNamedApart && firstText(reading.attributes, operationNames) === 'chat_streaming') return true
  return (firstCount(reading.attributes, cacheWriteNames, reading.flags) ?? 0) > 0
}

export const rig: Dialect = {
  name: 'rig',
  // The outcome of a tool is no mark: other senders have the same name for it.
  marks: { attributes: [...toolUseNames.all, 'rig.completion_parent'] },
  operations: { chat_streaming: 'llm', interactions: 'llm', interactions_streaming: 'llm' },
  late: { errorType: ['gen_ai.tool.error.type'] },
  reads: {
    /** A skipped call never reached the tool: the application answered it. */
    isNotRun: {
      on: { attributes: outcomeNames.all },
      read: ({ attributes }) => firstText(attributes, outcomeNames) === 'skipped',
    },
    hasFailed: {
      on: { attributes: outcomeNames.all },
      read: ({ attributes }) => firstText(attributes, outcomeNames) === 'error',
    },
    excludesCache: {
      on: { own: true },
      read: (reading) => excludesCacheItself(providerOf(reading)) || isByAnthropicsApi(reading),
    },
    callUsage: {
      on: { own: true },
      read(reading, told) {
        if (providerOf(reading) !== 'gcp.gemini') return
        addThoughts(told, reading.flags)
        const toolUse = firstCount(reading.attributes, toolUseNames, reading.flags)
        if (told.input === null || !toolUse) return
        told.input += toolUse
        reading.flags.add('usage_adjusted')
      },
    },
  },
}
