// The dialect of AG2, which uses OpenTelemetry's names, and reports its accounts of usage as spans of their own.
import type { Kind } from '../../../event/event.ts'
import { anyOf } from '../../../event/names.ts'
import { firstText, has } from '../../attribute.ts'
import type { Dialect } from '../../merge/definition.ts'
import { providerOf } from '../../provider-name.ts'
import type { SpanReading } from '../../span-reading.ts'
import { excludesCacheItself } from '../../usage/excluding-cache.ts'

const accountNames = anyOf('ag2.usage.kind')
const workerNames = anyOf('ag2.usage.label')
const cacheNames = anyOf('gen_ai.usage.cache_read_input_tokens', 'gen_ai.usage.cache_creation_input_tokens')

/** The name that AG2 gives to a worker of its own, which no middleware observes. */
const ownWorker = /^subtask-[\da-f]{8}$/

/**
 * Returns the kind of an account of usage. That of a model call repeats the span of the call, and that of an agent used as a tool repeats
 * the spans of this agent. All others are the only report of calls that AG2 makes for itself.
 */
function kindOfAccount({ attributes }: SpanReading): Kind | null {
  const account = firstText(attributes, accountNames)
  if (account === null) return null
  const isRepeated =
    account === 'subtask' ? !ownWorker.test(firstText(attributes, workerNames) ?? '') : account === 'model_call'
  return isRepeated ? 'other' : 'llm'
}

export const ag2: Dialect = {
  name: 'ag2',
  marks: { scopes: ['opentelemetry.instrumentation.ag2'], attributes: ['ag2.span.type'] },
  names: {
    totalTokens: ['ag2.usage.total_tokens'],
    reasoningTokens: ['gen_ai.usage.thinking_tokens'],
  },
  reads: {
    kind: { on: { attributes: accountNames.all }, read: kindOfAccount },
    /** The middleware names the agent `unknown` unless it is told a name. */
    isAgentUnknown: { on: { own: true }, read: (_, _kind, name) => name === 'unknown' },
    /** It passes on the counts of each provider as they are. */
    excludesCache: {
      on: { own: true },
      read: (reading) => has(reading.attributes, cacheNames) && excludesCacheItself(providerOf(reading)),
    },
  },
}
