// The dialect of Microsoft's Agent Framework for Python, which uses OpenTelemetry's names and passes on the counts of each provider.
import type { Kind } from '../../../event/event.ts'
import { anyOf } from '../../../event/names.ts'
import { firstText, has } from '../../attribute.ts'
import type { Dialect } from '../../merge/definition.ts'
import { providerOf } from '../../provider-name.ts'
import type { SpanReading } from '../../span-reading.ts'
import { addThoughts } from '../../usage/add-thoughts.ts'
import { excludesCacheItself } from '../../usage/excluding-cache.ts'

const providerNames = anyOf('gen_ai.provider.name')
const modelNames = anyOf('gen_ai.response.model', 'gen_ai.request.model')
const usageNames = anyOf('gen_ai.usage.input_tokens', 'gen_ai.usage.output_tokens')

/** Agents whose model runs in another process. The spans of all other agents sum up the spans of their model calls. */
const agentsWithModel: ReadonlySet<string | null> = new Set(['anthropic.claude', 'github.copilot'])

/** The only report of the usage of such an agent is its own span, summed up over a turn. */
const restateKind = ({ attributes }: SpanReading, kind: Kind): Kind | null =>
  kind === 'agent' && agentsWithModel.has(firstText(attributes, providerNames)) && has(attributes, usageNames)
    ? 'llm'
    : null

/** An agent without a name goes by its id, which is another one in each process. */
const uuid = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i

export const agentFramework: Dialect = {
  name: 'agent-framework',
  marks: { scopes: ['agent_framework*'] },
  reads: {
    restatedKind: { on: { own: true }, read: restateKind },
    isAgentUnknown: { on: { own: true }, read: (_, _kind, name) => uuid.test(name) },
    /** The counts of Anthropic's client on any platform, and of Bedrock, exclude the cache. Those of OpenAI's client include it. */
    excludesCache: {
      on: { own: true },
      read: (reading) => excludesCacheItself(providerOf(reading), firstText(reading.attributes, modelNames)),
    },
    /** Gemini's own output count excludes the thoughts. */
    callUsage: {
      on: { own: true },
      read(reading, told) {
        if (providerOf(reading) === 'gcp.gemini') addThoughts(told, reading.flags)
      },
    },
  },
}
